// SPDX-License-Identifier: Apache-2.0
#include "gpud/lease.hpp"

#include <gtest/gtest.h>

namespace weft::gpud {
namespace {

TEST(Lease, EverythingWhereNothingIsAskedFor) {
  EXPECT_EQ(lease_devices("", ""), "");
  EXPECT_EQ(lease_devices("2,3", ""), "2,3");
}

TEST(Lease, IndicesCountInWhatIsOffered) {
  EXPECT_EQ(lease_devices("", "1,0"), "1,0");
  EXPECT_EQ(lease_devices("4,5,6", "2,0"), "6,4");
}

TEST(Lease, TheListEndsAtTheFirstThatIsNotThere) {
  EXPECT_EQ(lease_devices("4,5", "1,2,0"), "5");
  EXPECT_EQ(lease_devices("4,5", "7"), "none");
  EXPECT_EQ(lease_devices("", "none"), "none");
  EXPECT_EQ(lease_devices("", "0,-1,1"), "0");
}

TEST(Lease, UuidsOnlyWhereTheyAreOffered) {
  EXPECT_EQ(lease_devices("", "GPU-12ab"), "GPU-12ab");
  EXPECT_EQ(lease_devices("GPU-12abcd,GPU-99", "GPU-12"), "GPU-12abcd");
  EXPECT_EQ(lease_devices("GPU-12abcd", "GPU-77"), "none");
  EXPECT_EQ(lease_devices("0,1", "GPU-77"), "none");
}

}  // namespace
}  // namespace weft::gpud
