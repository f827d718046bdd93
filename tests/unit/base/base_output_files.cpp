#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "model/base/error.h"
#include "model/base/files/output_files.h"

namespace wharf {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;

/// A folder for this test alone, with a file, a folder and a dangling link.
struct Place {
  Place() {
    std::string pattern = (fs::temp_directory_path() / "wharf_outputs_XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    root = pattern;
    std::ofstream(root / "file") << "kept";
    fs::create_directory(root / "folder");
    fs::create_symlink("nowhere", root / "link");
  }
  ~Place() { fs::remove_all(root); }

  /// Every path in the folder, with the text of each file.
  std::string contents() const {
    std::ostringstream all;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      all << entry.path().string() << '\n';
      if (entry.is_regular_file()) all << std::ifstream(entry.path()).rdbuf();
    }
    return all.str();
  }

  fs::path root;
};

TEST_CASE("a file and a folder can be written where they are, and where folders above them are missing") {
  const Place place;
  for (const char* good : {"new", "file", "folder/new", "a/b/c", "folder/../new"}) {
    INFO(good);
    CHECK(obstacle_to_file(place.root / good).empty());
  }
  for (const char* good : {"folder", "folder/", "new", "a/b/c", "."}) {
    INFO(good);
    CHECK(obstacle_to_folder(place.root / good).empty());
  }
  CHECK(obstacle_to_file("relative").empty());
  for (const char* device : {"/dev/null", "/dev/full"}) CHECK(obstacle_to_file(device).empty());
}

TEST_CASE("what stands in the way of a file or folder is said, with the place") {
  const Place place;
  const std::string root = place.root.string();
  CHECK(obstacle_to_file("") == "the name is empty");
  CHECK(obstacle_to_folder("") == "the name is empty");
  CHECK(obstacle_to_file(root + "/folder") == "it is a folder; name a file");
  CHECK(obstacle_to_file(root + "/new/") == "it is a folder; name a file");
  CHECK(obstacle_to_file(root + "/file/x") == root + "/file is no folder");
  CHECK(obstacle_to_file(root + "/file/x/y") == root + "/file is no folder");
  CHECK(obstacle_to_folder(root + "/file") == root + "/file is no folder");
  CHECK(obstacle_to_folder(root + "/link/x") == root + "/link is a link to nothing");
  CHECK(obstacle_to_file("/dev/null/x") == "/dev/null is no folder");
  CHECK_THAT(obstacle_to_file("/proc/x"), Contains(" in /proc"));
  CHECK_THAT(obstacle_to_folder("/proc/x/y"), Contains(" in /proc"));
  CHECK(obstacle_to_file(root + "/" + std::string(300, 'x')) == "File name too long in " + root);
  CHECK_THAT(obstacle_to_folder(root + "/" + std::string(300, 'x') + "/y"), Contains("File name too long"));
}

TEST_CASE("a file that could not be renamed into its place is found though its own bytes could be written") {
  const Place place;
  CHECK(obstacle_to_file(place.root / std::string(240, 'x')).empty());
  CHECK_THAT(obstacle_to_file(place.root / std::string(250, 'x')), Contains("File name too long"));  // the temporary file's name
}

TEST_CASE("to look for obstacles changes nothing") {
  const Place place;
  const std::string before = place.contents();
  const auto time = fs::last_write_time(place.root / "file");
  for (const char* file : {"new", "file", "folder/new", "a/b/c", "file/x", "link/x"}) {
    obstacle_to_file(place.root / file);
    obstacle_to_folder(place.root / file);
  }
  CHECK(place.contents() == before);
  CHECK(fs::last_write_time(place.root / "file") == time);
}

TEST_CASE("a pipe is no obstacle, and nobody waits for its reader") {
  const Place place;
  REQUIRE(mkfifo((place.root / "pipe").c_str(), 0600) == 0);
  CHECK(obstacle_to_file(place.root / "pipe").empty());
}

TEST_CASE("the required file and folder are named with the reason and the remedy") {
  CHECK_THROWS_WITH(require_writable("/dev/null/x"), "/dev/null/x: cannot be written: /dev/null is no folder; choose another place for it");
  CHECK_THROWS_WITH(require_writable_folder("/dev/null/x"),
                    "/dev/null/x: cannot be written: /dev/null is no folder; choose another place for it");
}

}  // namespace
}  // namespace wharf
