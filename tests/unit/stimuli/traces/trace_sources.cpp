// Bytes and lines: compression, truncation, line ends.

#include <lzma.h>
#include <zlib.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "stimuli/traces/bytes/byte_sink.h"
#include "stimuli/traces/bytes/line_source.h"
#include "tests/unit/stimuli/traces/trace_samples.h"

using namespace wharf::traces;

namespace {

std::vector<std::string> lines_of(LineSource& source) {
  std::vector<std::string> lines;
  for (std::string_view line; source.next(line);) lines.emplace_back(line);
  return lines;
}

std::string many_lines() {
  std::string text;
  for (unsigned i = 0; i < 60000; ++i) text += "line " + std::to_string(i * 2654435761u) + "\n";
  return text;
}

std::string gzip(const std::string& text) {
  std::string out(compressBound(text.size()) + 64, '\0');
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string compressed(const std::string& text, const std::string& format) {
  if (format == "plain") return text;
  if (format == "gz") return gzip(text);
  const TemporaryFolder folder;
  const auto sink = create_file(folder / "file", format == "xz" ? Compression::xz : Compression::zstd);
  sink->write(text);
  sink->close();
  return contents_of(folder / "file");
}

}  // namespace

TEST_CASE("A trace file reads the same plain, gzipped, xz and zstd, told by its first bytes") {
  const std::string format = GENERATE("plain", "gz", "xz", "zst");
  const TemporaryFolder folder;
  const std::string bytes = compressed(many_lines(), format);
  REQUIRE((format == "plain") == (bytes.size() == many_lines().size()));
  const auto source = LineSource::open(folder.write("no_ending", bytes));
  const auto lines = lines_of(*source);
  REQUIRE(lines.size() == 60000);
  CHECK(lines[0] == "line 0");
  CHECK(lines[59999] == "line " + std::to_string(59999u * 2654435761u));
  CHECK(source->line_number() == 60000);
  CHECK(source->bytes_consumed() == source->total_bytes());
}

TEST_CASE("Two compressed files one after the other read as one") {
  const std::string format = GENERATE("gz", "xz", "zst");
  const std::string bytes = compressed("one\ntwo\n", format) + compressed("three\n", format);
  const auto source = LineSource::from_memory("file", bytes);
  CHECK(lines_of(*source) == std::vector<std::string>{"one", "two", "three"});
}

TEST_CASE("A truncated stream delivers the lines before the cut and then stops with the line it reached") {
  const std::string format = GENERATE("gz", "xz", "zst");
  const std::string whole = compressed(many_lines(), format);
  const std::string bytes = whole.substr(0, whole.size() / 2);
  const auto source = LineSource::from_memory("cut." + format, bytes);
  std::uint64_t seen = 0;
  try {
    for (std::string_view line; source->next(line);) ++seen;
    FAIL("the cut was not noticed");
  } catch (const TraceError& error) {
    CHECK(error.file() == "cut." + format);
    CHECK(error.line() == seen + 1);
    CHECK(error.text() == "the " + std::string(format == "gz" ? "gzip" : format == "xz" ? "xz" : "zstd") + " stream is truncated");
    CHECK(error.remedy() == "copy or record the file again");
  }
  if (format != "zst") CHECK(seen > 1000);  // one zstd block may contain all of it
}

TEST_CASE("A compressed stream cut in its last byte is truncated") {
  const std::string format = GENERATE("gz", "xz", "zst");
  std::string bytes = compressed("one\n", format);
  bytes.pop_back();
  const auto source = LineSource::from_memory("cut", bytes);
  CHECK_THROWS_AS(lines_of(*source), TraceError);
}

TEST_CASE("A corrupt stream is an input error, not text") {
  const std::string format = GENERATE("gz", "xz", "zst");
  std::string bytes = compressed(many_lines(), format);
  for (std::size_t i = bytes.size() / 3; i < bytes.size() / 3 + 64; ++i) bytes[i] = static_cast<char>(~bytes[i]);
  const auto source = LineSource::from_memory("bad", bytes);
  CHECK_THROWS_WITH(lines_of(*source), Catch::Matchers::Contains("stream is corrupt"));
}

TEST_CASE("A zstd stream may have a window of up to 2 GB, and one with a larger window is told to be compressed again") {
  // A frame of one raw block. The byte after its descriptor is the window: 2^(10 + exponent), plus eighths of that.
  const auto frame = [](unsigned exponent, unsigned eighths) {
    const std::string text = "one\ntwo\n";
    std::string bytes("\x28\xB5\x2F\xFD\x00", 5);
    bytes += static_cast<char>(exponent << 3 | eighths);
    bytes += {static_cast<char>(text.size() << 3 | 1), '\0', '\0'};
    return bytes + text;
  };
  for (const unsigned log : {27u, 28u, 31u}) {
    CAPTURE(log);
    const std::string bytes = frame(log - 10, 0);
    const auto source = LineSource::from_memory("file", bytes);
    CHECK(lines_of(*source) == std::vector<std::string>{"one", "two"});
  }
  const std::string bytes = frame(21, 7);
  const auto source = LineSource::from_memory("file", bytes);
  CHECK_THROWS_WITH(lines_of(*source),
                    "file:1: the zstd stream has a window of more than 2 GB; compress it again without --long, or with "
                    "--long=27 or less");
}

TEST_CASE("An xz stream may have a dictionary of 2 GB, and one with a larger dictionary is told to be compressed again") {
  const auto stream_with = [](std::uint32_t dictionary) {
    lzma_options_lzma options;
    REQUIRE_FALSE(lzma_lzma_preset(&options, 0));
    lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
    std::string bytes(256, '\0');
    std::size_t size = 0;
    const std::string text = "one\ntwo\n";
    REQUIRE(lzma_stream_buffer_encode(filters, LZMA_CHECK_NONE, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                                      reinterpret_cast<std::uint8_t*>(bytes.data()), &size, bytes.size()) == LZMA_OK);
    bytes.resize(size);
    // The block's header: its length, flags, sizes, the filter with its one byte of properties, padding, and a checksum.
    constexpr std::size_t kBlock = 12;
    bytes[bytes.find("\x21\x01", kBlock) + 2] = static_cast<char>(dictionary);
    const std::size_t header = (static_cast<unsigned char>(bytes[kBlock]) + 1) * 4 - 4;
    const std::uint32_t sum = lzma_crc32(reinterpret_cast<const std::uint8_t*>(bytes.data() + kBlock), header, 0);
    for (unsigned i = 0; i < 4; ++i) bytes[kBlock + header + i] = static_cast<char>(sum >> 8 * i);
    return bytes;
  };
  constexpr std::uint32_t k256Mb = 32, k2Gb = 38, k3Gb = 39;  // the properties' code
  for (const std::uint32_t dictionary : {k256Mb, k2Gb}) {
    const std::string bytes = stream_with(dictionary);
    const auto source = LineSource::from_memory("file", bytes);
    CHECK(lines_of(*source) == std::vector<std::string>{"one", "two"});
  }
  const std::string bytes = stream_with(k3Gb);
  const auto source = LineSource::from_memory("file", bytes);
  CHECK_THROWS_WITH(lines_of(*source), Catch::Matchers::Contains("file:1: the xz stream needs 3072 MB of memory to decompress") &&
                                           Catch::Matchers::Contains("; compress it again with 'xz -9' or less"));
}

TEST_CASE("Lines end with LF or CR LF, and the last may have no end") {
  const auto source = LineSource::from_memory("file", "one\r\n\ntwo\nthree");
  std::string_view line;
  REQUIRE(source->next(line));
  CHECK(line == "one");
  REQUIRE(source->next(line));
  CHECK(line.empty());
  REQUIRE(source->next(line));
  CHECK(line == "two");
  CHECK(source->terminated());
  REQUIRE(source->next(line));
  CHECK(line == "three");
  CHECK_FALSE(source->terminated());
  CHECK_FALSE(source->next(line));
}

TEST_CASE("A line that was put back is read again with its number") {
  const auto source = LineSource::from_memory("file", "one\ntwo");
  std::string_view line;
  source->next(line);
  source->unread();
  REQUIRE(source->next(line));
  CHECK(line == "one");
  CHECK(source->line_number() == 1);
  source->next(line);
  source->unread();
  REQUIRE(source->next(line));
  CHECK(line == "two");
  CHECK(source->line_number() == 2);
}

TEST_CASE("A line over a megabyte is refused, one below is not") {
  const std::string text = "first\n" + std::string(LineSource::kLongestLine - 1, 'x') + "\n";
  const auto good = LineSource::from_memory("file", text);
  CHECK(lines_of(*good).size() == 2);
  const std::string longer = "first\n" + std::string(3 * LineSource::kLongestLine, 'x') + "\n";
  const auto bad = LineSource::from_memory("file", longer);
  CHECK_THROWS_WITH(lines_of(*bad), Catch::Matchers::StartsWith("file:2: a line is longer than 1 MB"));
}

TEST_CASE("A file that cannot be opened is named with the remedy") {
  CHECK_THROWS_WITH(LineSource::open("/nowhere/kernel-1.traceg"),
                    Catch::Matchers::StartsWith("/nowhere/kernel-1.traceg: cannot be opened (No such file") &&
                        Catch::Matchers::EndsWith("; check the path and its permissions"));
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(LineSource::open(folder.path()), Catch::Matchers::Contains("is not a regular file"));
}
