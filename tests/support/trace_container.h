#pragma once
// Kernels of the 2.0 tracer as text and as containers, made by hand with libzstd, without the code under test.

#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace wharf::traces {

using Triple = std::array<std::uint32_t, 3>;

struct SampleCta {
  Triple place, cluster, in_cluster;
  std::uint32_t rank = 0;
  std::vector<std::vector<std::string>> warps;  // lines of each
};

inline std::string text_of(const Triple& triple) {
  return std::to_string(triple[0]) + "," + std::to_string(triple[1]) + "," + std::to_string(triple[2]);
}

/// A header of tracer version 6 for sm_90, which ends with the format line. `cluster`: a line that says how large clusters are, or none.
inline std::string header_6(const std::string& grid, const std::string& block, const std::string& cluster = "") {
  return cluster + "-kernel name = sample\n-kernel id = 1\n-grid dim = " + grid + "\n-block dim = " + block +
         "\n-shmem = 512\n-nregs = 24\n-binary version = 90\n-cuda stream id = 0\n-shmem base_addr = 0x00007f0000000000\n"
         "-local mem base_addr = 0x00007f0800000000\n-nvbit version = 1.7.5\n-accelsim tracer version = 6\n-enable lineinfo = 0\n\n"
         "#traces format = ...\n";
}

/// As the tracer writes it with --text.
inline std::string text_of(const std::string& header, const std::vector<SampleCta>& ctas) {
  std::string text = header;
  for (const SampleCta& cta : ctas) {
    text += "\n#BEGIN_TB\n\nthread block = " + text_of(cta.place) + "\ncluster id = " + text_of(cta.cluster) +
            "\ncluster cta = " + text_of(cta.in_cluster) + "\ncluster rank = " + std::to_string(cta.rank) + "\n";
    for (std::size_t w = 0; w < cta.warps.size(); ++w) {
      text += "\nwarp = " + std::to_string(w) + "\ninsts = " + std::to_string(cta.warps[w].size()) + "\n";
      for (const std::string& line : cta.warps[w]) text += line + "\n";
    }
    text += "\n#END_TB\n";
  }
  return text;
}

inline void put(std::string& bytes, std::uint64_t value, unsigned size = 4) {
  for (unsigned i = 0; i < size; ++i) bytes += static_cast<char>(value >> 8 * i);
}

inline std::string frame_of(const std::string& content, const std::string& dictionary) {
  std::string frame(ZSTD_compressBound(content.size()), '\0');
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  frame.resize(ZSTD_compress_usingDict(context, frame.data(), frame.size(), content.data(), content.size(), dictionary.data(),
                                       dictionary.size(), 3));
  ZSTD_freeCCtx(context);
  return frame;
}

/// The lines of a warp in subchunks of `target` lines, each extended to the end of an open replay region.
inline std::vector<std::vector<std::string>> subchunks_of(const std::vector<std::string>& lines, std::size_t target) {
  std::vector<std::vector<std::string>> subchunks;
  int open = 0;
  for (const std::string& line : lines) {
    if (subchunks.empty() || (subchunks.back().size() >= target && open == 0)) subchunks.emplace_back();
    subchunks.back().push_back(line);
    if (line.find("REPLAY_START") != std::string::npos) ++open;
    if (line.find("REPLAY_END") != std::string::npos) --open;
  }
  return subchunks;
}

inline std::string container_of(const std::string& header, const std::vector<SampleCta>& ctas, std::uint32_t target = 2048,
                                const std::string& dictionary = "") {
  std::string file = header, index;
  file += '\0';
  put(file, dictionary.size());
  put(file, target);
  file += dictionary;
  put(index, ctas.size());
  for (const SampleCta& cta : ctas) {
    for (const Triple& triple : {cta.place, cta.cluster, cta.in_cluster})
      for (const std::uint32_t value : triple) put(index, value);
    put(index, cta.rank);
    put(index, cta.warps.size());
    for (const std::vector<std::string>& lines : cta.warps) {
      const auto subchunks = subchunks_of(lines, target);
      for (std::string* out : {&file, &index}) {
        const std::uint64_t offset = file.size() - (out == &file ? 0 : 8);
        put(*out, lines.size());
        put(*out, subchunks.size());
        if (out == &index) put(index, offset, 8);
      }
      for (const std::vector<std::string>& subchunk : subchunks) {
        std::string content;
        for (const std::string& line : subchunk) content += (content.empty() ? "" : "\n") + line;
        const std::string frame = frame_of(content, dictionary);
        put(index, subchunk.size());
        put(file, frame.size());
        file += frame;
      }
    }
  }
  const std::uint64_t offset = file.size();
  file += index;
  put(file, offset, 8);
  return file;
}

/// Two clusters of two CTAs, each of two warps: one with every form of a bulk operation, one that spins until the data are there. Each CTA gets
/// 2 * 4096 + 512 + 1024 bytes, of which 128 are out of bounds.
inline std::vector<SampleCta> two_clusters() {
  const std::vector<std::string> producer = {
      "0000 ffffffff 1 UR4 S2UR 0 0 0 0 NoVal",
      "0010 00000001 0 SYNCS.EXCH.64 2 R2 R4 8 1 0x400 0 0 0 Val 1 7f0000000400 1 1ffffe",
      "0020 ffffffff 0 UCGABAR_ARV 0 0 0 0 NoVal",
      "0030 ffffffff 0 UCGABAR_WAIT 0 0 0 0 NoVal",
      "0040 00000001 0 SYNCS.ARRIVE.TRANS64 2 R2 R4 8 1 0x400 0 0 0 Val 1 7f0000000400 1 2600",
      "0050 00000001 0 UTMALDG.2D.MULTICAST 2 UR8 UR4 16 0x400 1 0x3 4096 0 4 0x7fb2c0000000 2 4096 0 0 NoVal",
      "0060 00000001 0 UTMALDG.3D 2 UR8 UR4 16 0x400 0 512 128 3 3 0x7fb2c0010000 0x7fb2c0020000 0x7fb2c0030000 0 0 NoVal",
      "0070 00000001 0 UBLKCP.S.G 2 UR8 UR4 16 0x400 0 1024 0 4 0x7fb2c0040000 1 0 0 NoVal",
      "0080 00000001 0 UBLKPF 2 UR8 UR4 16 0x0 0 64 0 3 1 0x7fb2c0041000 0 0 NoVal",
      "0090 00000001 0 UTMAPF.2D 2 UR8 UR4 16 0x0 0 128 0 3 1 0x7fb2c0042000 0 0 NoVal",
      "00a0 ffffffff 0 ARRIVES.LDGSTSBAR.64.TRANSCNT 1 R2 8 1 0x400 0 0 0 NoVal",
      "00b0 00000001 0 UTMASTG.2D 2 UR8 UR4 16 0x0 0 256 0 4 0x7fb2c0050000 2 128 0 0 NoVal",
      "00c0 00000001 0 UBLKCP.G.S 2 UR8 UR4 16 0x0 0 48 0 3 1 0x7fb2c0060010 0 0 NoVal",
      "00d0 00000001 0 UTMAREDG.2D.ADD 2 UR8 UR4 16 0x0 0 32 0 3 1 0x7fb2c0070000 0 0 NoVal",
      "00e0 00000001 0 UBLKRED.G.S.ADD 2 UR8 UR4 16 0x0 0 32 0 3 1 0x7fb2c0071000 0 0 NoVal",
      "00f0 ffffffff 0 UTMACMDFLUSH 0 0 0 0 NoVal",
      "0100 ffffffff 0 EXIT 0 0 0 0 NoVal"};
  const std::vector<std::string> consumer = {
      "01e0 ffffffff 0 UCGABAR_ARV 0 0 0 0 NoVal",
      "01f0 ffffffff 0 UCGABAR_WAIT 0 0 0 0 NoVal",
      "0200 ffffffff 0 REPLAY_START 0 0 0 0 NoVal",
      "0210 ffffffff 1 UP0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R2 R4 8 1 0x400 0 0 0 Val 1 1 1 7f0000000400 1 0",
      "0220 ffffffff 0 BRA 1 UP0 0 0 0 NoVal",
      "0230 ffffffff 0 REPLAY_END 0 0 0 0 NoVal",
      "0240 ffffffff 1 R24 HGMMA.64x64x16.F32 3 R24 UR8 P7 1 0 0 0 NoVal",
      "0250 ffffffff 1 R8 LDG.E.SYS 1 R6 4 1 0x7fb2c0080000 4 0 0 NoVal",
      "0260 ffffffff 0 EXIT 0 0 0 0 NoVal"};
  std::vector<SampleCta> ctas;
  for (std::uint32_t cta = 0; cta < 4; ++cta)
    ctas.push_back({{cta, 0, 0}, {cta / 2, 0, 0}, {cta % 2, 0, 0}, cta % 2, {producer, consumer}});
  return ctas;
}
inline const std::string kTwoClustersHeader = header_6("(4,1,1)", "(64,1,1)", "-cluster dim = (2,1,1)\n");

}  // namespace wharf::traces
