// Helpers of the block codecs: slices of columns, and columns that must agree with one another.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "analysis/archive/column_codec.h"
#include "analysis/capture/clock.h"
#include "proto/simpler/archive/v1/archive.pb.h"

namespace simpler::archive {

// A half-open range of rows of one block.
struct RowRange {
  size_t begin;
  size_t end;

  size_t size() const { return end - begin; }
};

template <typename T>
std::span<const T> Rows(const std::vector<T>& column, RowRange rows) {
  return std::span<const T>(column).subspan(rows.begin, rows.size());
}

// Fails when a block's columns, whose sizes are listed, do not all have `rows` values: slices of
// such a block would read beyond a column.
absl::Status CheckColumnLengths(size_t rows, std::initializer_list<size_t> sizes);

// Writes `end - start` of rows whose stamps are legal. InvalidArgument, naming the row, where a
// stamp is negative or an end precedes its start: no reader would take such an archive.
template <typename Stamp>
absl::Status EncodeDurations(std::span<const Stamp> start, std::span<const Stamp> end,
                             v1::Column* column);

// Reads the columns of one section, which must all hold the same number of values. The first error
// sticks and later calls do nothing.
class RowColumns {
 public:
  explicit RowColumns(size_t rows) : rows_(rows) {}

  template <typename T>
  void Read(const v1::Column& column, const char* name, std::vector<T>& values) {
    if (status_.ok()) status_ = DecodeColumn(column, name, rows_, values);
  }

  // Reads a start column and the ends that a duration column gives. Refuses what EncodeDurations
  // refuses.
  template <typename Stamp>
  void ReadIntervals(const v1::Column& start_column, const v1::Column& duration_column,
                     std::vector<Stamp>& start, std::vector<Stamp>& end);

  // As Read for an enumeration whose largest value is `last`.
  template <typename Enum>
  void ReadEnum(const v1::Column& column, const char* name, Enum last, std::vector<Enum>& values) {
    Read(column, name, values);
    if (!status_.ok()) return;
    Enum largest{};
    for (Enum value : values) largest = value > largest ? value : largest;
    if (largest > last) RefuseEnum(name, static_cast<unsigned>(largest));
  }

  void Refuse(absl::Status status) {
    if (status_.ok()) status_ = std::move(status);
  }

  const absl::Status& status() const { return status_; }

 private:
  void RefuseEnum(const char* name, unsigned value);

  size_t rows_;
  absl::Status status_;
};

}  // namespace simpler::archive
