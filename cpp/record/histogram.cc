#include "record/histogram.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace rpcbench::record {
namespace {

// Each bucket covers a power of two and has 2,048 parts, the smallest power of two with a resolution of 3 digits.
constexpr int kPartBits = 11;
constexpr std::size_t kParts = std::size_t{1} << kPartBits;
constexpr std::size_t kHalf = kParts / 2;

constexpr int bucket_of(int64_t value) {
  return 64 - std::countl_zero(static_cast<uint64_t>(value) | (kParts - 1)) - kPartBits;
}

constexpr std::size_t index_of(int64_t value) {
  const int bucket = bucket_of(value);
  return (static_cast<std::size_t>(bucket) << (kPartBits - 1)) + static_cast<std::size_t>(value >> bucket);
}

// Returns the largest value with an index.
constexpr int64_t highest_at(std::size_t index) {
  const int bucket = std::max(static_cast<int>(index >> (kPartBits - 1)) - 1, 0);
  const auto part = static_cast<int64_t>(index - (static_cast<std::size_t>(bucket) << (kPartBits - 1)));
  return ((part + 1) << bucket) - 1;
}

// The same number as HdrHistogram: whole buckets, so some values beyond the range have a place.
constexpr std::size_t kCounts = (static_cast<std::size_t>(bucket_of(Histogram::kHighestNs)) + 2) * kHalf;

constexpr int32_t kCookie = 0x1c849313;  // V2, with counts of up to 8 bytes
constexpr int32_t kCompressedCookie = 0x1c849314;

template <typename T>
void append(std::string& to, T number) {
  for (int shift = static_cast<int>(sizeof number) * 8 - 8; shift >= 0; shift -= 8) {
    to.push_back(static_cast<char>(static_cast<uint64_t>(number) >> shift));
  }
}

// ZigZag LEB128 of at most 9 bytes, whose ninth has 8 bits.
void append_zigzag(std::string& to, int64_t number) {
  uint64_t rest = (static_cast<uint64_t>(number) << 1) ^ static_cast<uint64_t>(number >> 63);
  int length = 1;
  for (; rest >= 0x80 && length < 9; ++length, rest >>= 7) {
    to.push_back(static_cast<char>(rest | 0x80));
  }
  to.push_back(static_cast<char>(rest));
}

std::string deflated(const std::string& plain) {
  uLongf length = compressBound(plain.size());
  std::string packed(length, '\0');
  if (compress(reinterpret_cast<Bytef*>(packed.data()), &length, reinterpret_cast<const Bytef*>(plain.data()),
               plain.size()) != Z_OK) {
    throw std::runtime_error("a histogram can't be compressed");
  }
  packed.resize(length);
  return packed;
}

}  // namespace

Histogram::Histogram() : counts_(kCounts, 0) {}

bool Histogram::record(int64_t ns, int64_t times) {
  const int64_t value = std::clamp<int64_t>(ns, 0, kHighestNs);
  const std::size_t index = index_of(value);
  counts_[index] += times;
  count_ += times;
  used_ = std::max(used_, index + 1);
  return value != ns;
}

void Histogram::add(const Histogram& other) {
  for (std::size_t i = 0; i < other.used_; ++i) {
    counts_[i] += other.counts_[i];
  }
  count_ += other.count_;
  used_ = std::max(used_, other.used_);
}

void Histogram::reset() {
  std::fill_n(counts_.begin(), used_, 0);
  count_ = 0;
  used_ = 0;
}

int64_t Histogram::quantile(double q) const {
  if (count_ == 0) return 0;
  // The rank is rounded up. The quotient is lowered by one bit, so that an inexact product does not reach the next
  // rank.
  const double rank = std::ceil(std::nextafter(100 * q, 0) * static_cast<double>(count_) / 100);
  const int64_t wanted = std::clamp<int64_t>(static_cast<int64_t>(rank), 1, count_);
  int64_t seen = 0;
  for (std::size_t i = 0; i < used_; ++i) {
    seen += counts_[i];
    if (seen >= wanted) return highest_at(i);
  }
  return highest_at(used_ - 1);
}

std::string Histogram::encode() const {
  std::string counts;
  for (std::size_t i = 0; i < used_;) {
    if (counts_[i] != 0) {
      append_zigzag(counts, counts_[i++]);
      continue;
    }
    int64_t zeros = 0;
    for (; i < used_ && counts_[i] == 0; ++i) {
      ++zeros;
    }
    append_zigzag(counts, zeros > 1 ? -zeros : 0);
  }
  if (counts.empty()) {
    append_zigzag(counts, 0);
  }
  std::string plain;
  append(plain, kCookie);
  append(plain, static_cast<int32_t>(counts.size()));
  append(plain, int32_t{0});  // normalizing index offset
  append(plain, int32_t{3});  // significant digits
  append(plain, int64_t{1});
  append(plain, kHighestNs);
  append(plain, std::bit_cast<int64_t>(1.0));  // integer-to-double conversion ratio
  plain += counts;
  const std::string packed = deflated(plain);
  std::string encoded;
  append(encoded, kCompressedCookie);
  append(encoded, static_cast<int32_t>(packed.size()));
  return encoded + packed;
}

}  // namespace rpcbench::record
