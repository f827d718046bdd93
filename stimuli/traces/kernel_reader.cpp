#include "stimuli/traces/kernel_reader.h"

#include <algorithm>
#include <utility>

#include "model/base/cluster_order.h"
#include "stimuli/traces/bytes/text_cursor.h"
#include "stimuli/traces/ctas/cluster_of_text.h"
#include "stimuli/traces/trace_error.h"

namespace wharf::traces {

namespace {

constexpr std::uint64_t kMostInstructions = 100'000'000;  // per warp

std::string text_of(const Dim3& dim) { return std::to_string(dim.x) + "," + std::to_string(dim.y) + "," + std::to_string(dim.z); }

bool is_all_blank(std::string_view line) { return std::all_of(line.begin(), line.end(), is_blank); }

}  // namespace

std::uint64_t TracedCta::bytes() const {
  std::uint64_t sum = sizeof(TracedCta) + warps.size() * sizeof(PackedWarp);
  for (const PackedWarp& warp : warps) sum += warp.bytes.size();
  return sum;
}

KernelReader::KernelReader(const std::string& path, WarningLog& warnings, UnknownOpcodes unknown, std::size_t piece)
    : KernelReader(LineSource::open(path, piece), warnings, unknown, path) {}

KernelReader::KernelReader(std::unique_ptr<LineSource> source, WarningLog& warnings, UnknownOpcodes unknown, const std::string& path)
    : source_(std::move(source)),
      warnings_(warnings),
      header_(read_kernel_header(*source_, warnings)),
      code_(std::make_shared<CodeTable>()),
      parser_(header_, *source_, *code_, warnings, unknown) {
  if (!path.empty()) header_.cluster = cluster_of_text(path, header_);
}

KernelLaunch KernelReader::launch() const {
  KernelLaunch launch;
  launch.name = header_.name;
  launch.grid = header_.grid;
  launch.block = header_.block;
  launch.cluster = header_.cluster;
  launch.registers_per_thread = header_.registers_per_thread;
  launch.shared_bytes = header_.shared_bytes;
  launch.local_offsets = true;
  launch.stream = header_.stream;
  return launch;
}

void KernelReader::require_cta() {
  std::string_view line;
  if (!next_text(line))
    fail("the file ends after the kernel header: " + std::to_string(header_.grid.count()) + " CTAs are missing", kRecordAgain);
  require_begin(line);
  source_->unread();
}

void KernelReader::require_begin(std::string_view line) const {
  if (!starts_with(line, "#BEGIN_TB"))
    fail("expected #BEGIN_TB, found " + quoted(line),
         "copy or record the file again, and let it go through the tracer's post-traces-processing if it has not");
}

void KernelReader::fail(const std::string& text, const std::string& remedy) const {
  throw TraceError(source_->name(), source_->line_number(), (source_->terminated() ? "" : "the file ends in the middle of a line: ") + text,
                   remedy);
}

void KernelReader::warn(std::string_view text) { warnings_.warn(text, source_->name(), source_->line_number()); }

/// Reads the next line that is neither blank nor a comment; the begin and end marks of a CTA are not comments.
bool KernelReader::next_text(std::string_view& line) {
  while (source_->next(line)) {
    const bool has_content = !is_all_blank(line) && (line.front() != '#' || starts_with(line, "#BEGIN_TB") || starts_with(line, "#END_TB"));
    if (has_content) return true;
    source_->skip_line();
  }
  return false;
}

void KernelReader::next_text_in_cta(std::string_view& line) {
  if (!next_text(line)) fail("the file ends inside a CTA", kRecordAgain);
}

bool KernelReader::next_cta(TracedCta& cta) {
  std::string_view line;
  if (!next_text(line)) return false;
  require_begin(line);
  cta.number = read_cta_number();
  cta.warps.clear();
  read_cluster();
  read_warps(cta);
  cta.cluster_line = parser_.cluster_line();
  return true;
}

bool KernelReader::skip_to_next_cta() {
  std::string_view line;
  while (next_text(line)) {
    if (!starts_with(line, "#BEGIN_TB")) continue;
    source_->unread();
    return true;
  }
  return false;
}

std::uint64_t KernelReader::read_cta_number() {
  std::string_view line, value;
  next_text_in_cta(line);
  if (!value_of(line, "thread block", value)) fail("expected 'thread block = x,y,z', found " + quoted(line), kRecordAgain);
  const std::size_t length = value.find_last_not_of(" \t") + 1;
  if (!parse_dim3(value.substr(0, length), place_)) fail("CTA coordinates " + quoted(value) + " are not x,y,z", kRecordAgain);
  const Dim3& grid = header_.grid;
  if (place_.x >= grid.x || place_.y >= grid.y || place_.z >= grid.z) {
    fail("CTA " + std::string(value) + " is outside the grid", "correct the line or the header's grid dim");
  }
  return place_.x + std::uint64_t{grid.x} * (place_.y + std::uint64_t{grid.y} * place_.z);
}

/// Reads the lines `cluster id`, `cluster cta` and `cluster rank`, where the CTA has them. They must agree with its number.
void KernelReader::read_cluster() {
  const Dim3& size = header_.cluster;
  const std::uint32_t own_rank = ClusterOrder{header_.grid, size}.rank_of(place_);
  parser_.begin_cta(place_, own_rank);
  std::string_view line, value;
  next_text_in_cta(line);
  const bool has_cluster = value_of(line, "cluster id", value);
  source_->unread();
  if (!has_cluster) return;
  Dim3 cluster, cta;
  std::uint64_t rank = 0;
  value = cluster_value("cluster id");
  if (!parse_dim3(value, cluster)) fail("cluster coordinates " + quoted(value) + " are not x,y,z", kRecordAgain);
  value = cluster_value("cluster cta");
  if (!parse_dim3(value, cta)) fail("the place in the cluster " + quoted(value) + " is not x,y,z", kRecordAgain);
  value = cluster_value("cluster rank");
  TextCursor cursor(value);
  if (!cursor.parse_unsigned(rank, kMostClusterCtas - 1) || !cursor.done())
    fail("cluster rank " + quoted(value) + " is not 0 to 15", kRecordAgain);
  const auto agrees = [](std::uint32_t at, std::uint32_t of_cluster, std::uint32_t in_it, std::uint32_t ctas) {
    return at / ctas == of_cluster && at % ctas == in_it;
  };
  if (!agrees(place_.x, cluster.x, cta.x, size.x) || !agrees(place_.y, cluster.y, cta.y, size.y) ||
      !agrees(place_.z, cluster.z, cta.z, size.z) || rank != own_rank)
    fail("the cluster of the CTA is not the one of its place in the grid, with clusters of " + text_of(size) + " CTAs", kRecordAgain);
}

/// The value of the next line, which must be `key = ...`.
std::string_view KernelReader::cluster_value(std::string_view key) {
  std::string_view line, value;
  next_text_in_cta(line);
  if (!value_of(line, key, value)) {
    const std::string form = key == "cluster rank" ? "n" : "x,y,z";
    fail("expected '" + std::string(key) + " = " + form + "', found " + quoted(line), kRecordAgain);
  }
  return value;
}

void KernelReader::read_warps(TracedCta& cta) {
  warp_seen_.assign((header_.block.count() + kLanes - 1) / kLanes, false);
  std::string_view line;
  for (next_text_in_cta(line); !starts_with(line, "#END_TB"); next_text_in_cta(line)) read_warp(cta, line);
  if (cta.warps.empty()) {
    warn("CTA without warps");
    return;
  }
  for (const PackedWarp& warp : cta.warps) {
    if (warp.instructions == 0) warn("warp without instructions");
  }
}

void KernelReader::read_warp(TracedCta& cta, std::string_view line) {
  std::string_view value;
  std::uint64_t warp = 0;
  if (!value_of(line, "warp", value))
    fail("expected 'warp = w' or #END_TB, found " + quoted(line),
         "let 'insts = n' agree with the lines that follow it, or record the kernel again");
  TextCursor cursor(value);
  if (!cursor.parse_unsigned(warp, 0xFFFFFFFF) || !cursor.done()) fail("warp id " + quoted(value) + " is not a number", kRecordAgain);
  if (warp >= warp_seen_.size()) {
    fail("warp " + std::to_string(warp) + " in a block of " + std::to_string(warp_seen_.size()) + " warps",
         "correct the warp id or the header's block dim");
  }
  if (warp_seen_[warp]) fail("warp " + std::to_string(warp) + " appears twice in its CTA", kRecordAgain);
  warp_seen_[warp] = true;
  const std::uint64_t count = read_count();
  parser_.begin_warp(static_cast<unsigned>(warp));
  packer_.finish();  // drops the remains of an earlier error
  read_instructions(count);
  cta.warps.resize(warp_seen_.size());
  cta.warps[warp] = packer_.finish();
}

std::uint64_t KernelReader::read_count() {
  std::string_view line, value;
  next_text_in_cta(line);
  if (!value_of(line, "insts", value)) fail("expected 'insts = n', found " + quoted(line), kRecordAgain);
  std::uint64_t count = 0;
  TextCursor cursor(value);
  if (!cursor.parse_unsigned(count, kMostInstructions) || !cursor.done()) {
    fail("instruction count " + quoted(value) + " is not a number up to " + std::to_string(kMostInstructions), kRecordAgain);
  }
  return count;
}

void KernelReader::read_instructions(std::uint64_t count) {
  std::string_view line;
  for (std::uint64_t done = 0; done < count;) {
    if (!source_->next(line))
      fail("the file ends inside a warp: " + std::to_string(done) + " of " + std::to_string(count) + " instructions", kRecordAgain);
    if (line.empty() || is_all_blank(line)) {
      source_->skip_line();
      continue;
    }
    // A PC begins with a hex digit; none of these begins a line of a warp or of a CTA.
    if (line.front() == '#' || line.front() == 'w' || line.front() == 'i' || line.front() == 't') {
      fail("insts = " + std::to_string(count) + ", but only " + std::to_string(done) + " instructions follow",
           "correct the count or record the kernel again");
    }
    parser_.parse(line, packer_);
    ++done;
  }
}

}  // namespace wharf::traces
