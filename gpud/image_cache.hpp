// SPDX-License-Identifier: Apache-2.0
// Module images by the SHA-256 of their content, as files in one directory that all workers of a server share. An image crosses the network once a server.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "base/unique_fd.hpp"

namespace weft::gpud {

using ImageHash = std::array<std::uint8_t, 32>;

/// A file's bytes in memory.
class MappedImage {
 public:
  MappedImage() = default;
  /// Maps the whole file of `bytes` bytes, for reading or, shared, for writing too. Empty where that fails.
  MappedImage(int fd, std::uint64_t bytes, bool writable);
  MappedImage(MappedImage&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedImage& operator=(MappedImage&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~MappedImage();

  std::span<std::byte> bytes() const { return bytes_; }

 private:
  std::span<std::byte> bytes_;
};

/// A file that goes unless it is kept under another name.
class TemporaryFile {
 public:
  TemporaryFile() = default;
  /// Empty where it can't be made.
  explicit TemporaryFile(const std::filesystem::path& directory);
  TemporaryFile(TemporaryFile&& other) noexcept : path_(std::exchange(other.path_, {})), fd_(std::move(other.fd_)) {}
  TemporaryFile& operator=(TemporaryFile&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~TemporaryFile();

  int fd() const { return fd_.get(); }
  explicit operator bool() const { return static_cast<bool>(fd_); }
  std::error_code rename(const std::filesystem::path& to);

 private:
  std::filesystem::path path_;
  UniqueFd fd_;
};

/// An image that is arriving.
struct PendingImage {
  ImageHash hash;
  TemporaryFile file;
  MappedImage image;
  std::uint64_t key = 0;  // under which its memory is registered with the connection
};

/// Safe to use by several processes at once; one object by one thread at a time.
class ImageCache {
 public:
  /// Makes the directory where it is missing; clears away what a killed worker left in it. Throws std::filesystem::filesystem_error.
  ImageCache(std::filesystem::path directory, std::uint64_t most_bytes);

  bool contains(const ImageHash& hash) const;
  /// The image, mapped; using one makes it the youngest.
  std::optional<MappedImage> find(const ImageHash& hash) const;
  /// Room for an image that is to come. Nothing where the disk has no room for it.
  std::optional<PendingImage> begin(const ImageHash& hash, std::uint64_t bytes) const;
  /// Keeps it, if it is what its hash says; false otherwise. Drops the oldest images where all together are more than the limit.
  bool keep(PendingImage& image) const;

 private:
  std::filesystem::path path_of(const ImageHash& hash) const;
  void drop_oldest() const;

  std::filesystem::path directory_;
  std::uint64_t most_bytes_;
};

}  // namespace weft::gpud
