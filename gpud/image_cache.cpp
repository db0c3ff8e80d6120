// SPDX-License-Identifier: Apache-2.0
#include "gpud/image_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/log.hpp"

namespace weft::gpud {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

ImageHash hash_of(std::span<const std::byte> bytes) {
  ImageHash hash{};
  ::EVP_Digest(bytes.data(), bytes.size(), hash.data(), nullptr, ::EVP_sha256(), nullptr);
  return hash;
}

}  // namespace

MappedImage::MappedImage(int fd, std::uint64_t bytes, bool writable) {
  void* memory = ::mmap(nullptr, bytes, writable ? PROT_READ | PROT_WRITE : PROT_READ, writable ? MAP_SHARED : MAP_PRIVATE, fd, 0);
  if (memory != MAP_FAILED) bytes_ = {static_cast<std::byte*>(memory), bytes};
}

MappedImage::~MappedImage() {
  if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
}

TemporaryFile::TemporaryFile(const fs::path& directory) {
  std::string name = (directory / "XXXXXX.part").string();
  fd_.reset(::mkostemps(name.data(), 5, O_CLOEXEC));
  if (fd_) path_ = name;
}

TemporaryFile::~TemporaryFile() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

std::error_code TemporaryFile::rename(const fs::path& to) {
  std::error_code error;
  fs::rename(path_, to, error);
  if (!error) path_.clear();
  return error;
}

ImageCache::ImageCache(fs::path directory, std::uint64_t most_bytes) : directory_(std::move(directory)), most_bytes_(most_bytes) {
  fs::create_directories(directory_);
  const auto too_old = fs::file_time_type::clock::now() - 1h;
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator(directory_, ignored))
    if (file.path().extension() == ".part" && file.last_write_time(ignored) < too_old) fs::remove(file.path(), ignored);
}

fs::path ImageCache::path_of(const ImageHash& hash) const {
  std::string name;
  for (std::uint8_t byte : hash) name += fmt::format("{:02x}", byte);
  return directory_ / (name + ".image");
}

bool ImageCache::contains(const ImageHash& hash) const { return ::access(path_of(hash).c_str(), R_OK) == 0; }

std::optional<MappedImage> ImageCache::find(const ImageHash& hash) const {
  UniqueFd file(::open(path_of(hash).c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status;
  if (!file || ::fstat(file.get(), &status) < 0 || status.st_size == 0) return std::nullopt;
  ::futimens(file.get(), nullptr);  // drop_oldest goes by the time of the last use
  MappedImage image(file.get(), static_cast<std::uint64_t>(status.st_size), false);
  if (image.bytes().empty()) return std::nullopt;
  return image;
}

std::optional<PendingImage> ImageCache::begin(const ImageHash& hash, std::uint64_t bytes) const {
  PendingImage pending{.hash = hash, .file = TemporaryFile(directory_), .image = {}};
  if (!pending.file || bytes == 0 || ::posix_fallocate(pending.file.fd(), 0, static_cast<off_t>(bytes)) != 0) {
    log::warning("no room for a module image of %llu bytes in %s", static_cast<unsigned long long>(bytes), directory_.c_str());
    return std::nullopt;
  }
  pending.image = MappedImage(pending.file.fd(), bytes, true);
  if (pending.image.bytes().empty()) return std::nullopt;
  return pending;
}

bool ImageCache::keep(PendingImage& image) const {
  if (hash_of(image.image.bytes()) != image.hash) return false;
  if (std::error_code error = image.file.rename(path_of(image.hash))) {
    log::warning("cannot keep a module image in %s: %s", directory_.c_str(), error.message().c_str());
    return false;
  }
  drop_oldest();
  return true;
}

void ImageCache::drop_oldest() const {
  struct Entry {
    fs::path path;
    std::uint64_t bytes;
    fs::file_time_type used;
  };
  std::vector<Entry> entries;
  std::uint64_t total = 0;
  std::error_code ignored;  // another worker may be dropping the same
  for (const auto& file : fs::directory_iterator(directory_, ignored)) {
    if (file.path().extension() != ".image") continue;
    const std::uint64_t bytes = file.file_size(ignored);
    if (ignored) continue;
    entries.push_back({file.path(), bytes, file.last_write_time(ignored)});
    total += bytes;
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (std::size_t i = 0; i + 1 < entries.size() && total > most_bytes_; ++i) {  // the youngest stays: it is about to be loaded
    fs::remove(entries[i].path, ignored);
    total -= entries[i].bytes;
  }
}

}  // namespace weft::gpud
