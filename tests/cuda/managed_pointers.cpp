// Managed variables in the host's intermediate code.

#include <catch2/catch.hpp>
#include <string>

#include "model/base/error.h"
#include "stimuli/cuda/compiler/intermediate/managed_variables.h"

using namespace wharf;
using namespace wharf::cuda;
using Catch::Matchers::Contains;

namespace {

const std::string kWords = "@words = dso_local global [4 x i32] undef, section \"wharf_managed\", align 16\n";

/// The body of a function, in a module with the variable `words`, as it becomes.
std::string rewritten(const std::string& body, const std::string& variables = kWords) {
  const std::string head = "define void @f(i32 %0) {\n", text = with_managed_pointers(variables + head + body + "}\n", "app.cu");
  const std::size_t begin = text.find(head) + head.size();
  return text.substr(begin, text.rfind("}\n") - begin);
}

}  // namespace

TEST_CASE("A managed variable becomes a pointer, and what constant expressions compute of its address is computed once, at the begin") {
  const std::string text = with_managed_pointers(
      kWords +
          "define void @f() {\n  store i32 1, i32* getelementptr inbounds ([4 x i32], [4 x i32]* @words, i64 0, i64 2), align 8\n"
          "  call void @g(i8* bitcast (i32* getelementptr inbounds ([4 x i32], [4 x i32]* @words, i64 0, i64 2) to i8*), [4 x i32]* @words)\n}\n",
      "app.cu");
  CHECK(text ==
        "@words = dso_local global [4 x i32]* null\n"
        "define void @f() {\n"
        "  %managed.0 = load [4 x i32]*, [4 x i32]** @words\n"
        "  %managed.1 = getelementptr inbounds [4 x i32], [4 x i32]* %managed.0, i64 0, i64 2\n"
        "  %managed.2 = bitcast i32* %managed.1 to i8*\n\n"
        "  store i32 1, i32* %managed.1, align 8\n"
        "  call void @g(i8* %managed.2, [4 x i32]* %managed.0)\n}\n");
}

TEST_CASE("A module without managed variables, and names that only begin alike, stay as they are") {
  const std::string plain =
      "@words = global [4 x i32] undef, align 16\ndefine void @f() {\n  store i32 1, i32* bitcast ([4 x i32]* @words to i32*)\n}\n";
  CHECK(with_managed_pointers(plain, "app.cu") == plain);
  CHECK(rewritten("  store i32 1, i32* @words.more\n  call void asm \"@words\", \"\"()\n") ==
        "  store i32 1, i32* @words.more\n  call void asm \"@words\", \"\"()\n");
}

TEST_CASE("Comparisons and differences of addresses lose the second type that instructions do not have") {
  CHECK_THAT(
      rewritten(
          "  br i1 icmp eq (i32* getelementptr inbounds ([4 x i32], [4 x i32]* @words, i64 0, i64 1), i32* null), label %1, label %2\n"),
      Contains("  %managed.2 = icmp eq i32* %managed.1, null\n") && Contains("  br i1 %managed.2, label %1, label %2\n"));
  CHECK_THAT(rewritten("  ret i64 sub (i64 ptrtoint (i32* @end to i64), i64 ptrtoint ([4 x i32]* @words to i64))\n"),
             Contains("  %managed.1 = ptrtoint [4 x i32]* %managed.0 to i64\n"
                      "  %managed.2 = sub i64 ptrtoint (i32* @end to i64), %managed.1\n"));
  CHECK_THAT(rewritten("  store i32 trunc (i64 sdiv exact (i64 ptrtoint ([4 x i32]* @words to i64), i64 4) to i32), i32* %1\n"),
             Contains("  %managed.2 = sdiv exact i64 %managed.1, 4\n  %managed.3 = trunc i64 %managed.2 to i32\n") &&
                 Contains("  store i32 %managed.3, i32* %1\n"));
  CHECK_THAT(rewritten("  br i1 icmp eq (i64 urem (i64 ptrtoint ([4 x i32]* @words to i64), i64 16), i64 0), label %1, label %2\n"),
             Contains("  %managed.2 = urem i64 %managed.1, 16\n  %managed.3 = icmp eq i64 %managed.2, 0\n"));
}

TEST_CASE("Values of a phi come before it, and behind the label of the first block") {
  CHECK(rewritten("entry:\n  br label %1\n\n1:\n  %2 = phi [4 x i32]* [ @words, %entry ], [ null, %1 ]\n") ==
        "entry:\n  %managed.0 = load [4 x i32]*, [4 x i32]** @words\n\n  br label %1\n\n1:\n"
        "  %2 = phi [4 x i32]* [ %managed.0, %entry ], [ null, %1 ]\n");
}

TEST_CASE("Opaque pointers of newer compilers, and declarations of another file's variables, are read") {
  const std::string text = with_managed_pointers(
      "@words = external global [4 x i32], section \"wharf_managed\", align 16\n"
      "define void @f() {\n  store i32 1, ptr getelementptr inbounds ([4 x i32], ptr @words, i64 0, i64 2), align 8\n}\n",
      "app.cu");
  CHECK(text ==
        "@words = external global ptr\ndefine void @f() {\n  %managed.0 = load ptr, ptr @words\n"
        "  %managed.1 = getelementptr inbounds [4 x i32], ptr %managed.0, i64 0, i64 2\n\n  store i32 1, ptr %managed.1, align 8\n}\n");
}

TEST_CASE("Managed variables are registered by their pointers, before objects of the source are constructed") {
  const std::string call = "  call void @__cudaRegister", rest = ", i8* @1, i8* @1, i32 0, i64 16, i32 0, i32 0)\n";
  const std::string plain = call + "Var(i8** %0, i8* bitcast (i32* @plain to i8*)" + rest;
  const std::string text = with_managed_pointers(
      kWords +
          "@byte = internal global i8 undef, section \"wharf_managed\", align 1\n"
          "@bytes = internal global [4 x i8] undef, section \"wharf_managed\", align 1\n"
          "@llvm.global_ctors = appending global [2 x {}] [{} { i32 65535, void ()* @early }, {} { i32 65535, void ()* bitcast (void (i8*)* "
          "@__cuda_module_ctor to void ()*) }]\n"
          "define internal void @__cuda_register_globals(i8** %0) {\n" +
          plain + call + "Var(i8** %0, i8* bitcast ([4 x i32]* @words to i8*)" + rest + call + "Var(i8** %0, i8* @byte" + rest + call +
          "Var(i8** %0, i8* getelementptr inbounds ([4 x i8], [4 x i8]* @bytes, i32 0, i32 0)" + rest +
          "}\ndeclare void @__cudaRegisterVar(i8**, i8*)\ndeclare void @__cudaRegisterManagedVar(i8**, i8*, i64)\n",
      "app.cu");
  CHECK_THAT(text, Contains(plain + call + "ManagedVar(i8** %0, i8* bitcast ([4 x i32]** @words to i8*)" + rest + call +
                            "ManagedVar(i8** %0, i8* bitcast (i8** @byte to i8*)" + rest + call +
                            "ManagedVar(i8** %0, i8* bitcast ([4 x i8]** @bytes to i8*)" + rest));
  CHECK_THAT(text, Contains("declare void @__cudaRegisterManagedVar(i8**, i8*)\n") && !Contains("(i8**, i8*, i64)"));
  CHECK_THAT(text, Contains("{ i32 65535, void ()* @early }") && Contains("{ i32 101, void ()* bitcast (void (i8*)* @__cuda_module_ctor"));
}

TEST_CASE("Constants that hold a managed address are refused, in a function and outside") {
  CHECK_THROWS_WITH(rewritten("  store { i32*, i32 } { i32* bitcast ([4 x i32]* @words to i32*), i32 3 }, { i32*, i32 }* %1\n"),
                    Contains("app.cu: a constant holds the address of the __managed__ variable words"));
  CHECK_THROWS_WITH(with_managed_pointers(kWords + "@_ZN1n1pE = global i32* bitcast ([4 x i32]* @words to i32*)\n", "app.cu"),
                    Contains("app.cu: the initial value of n::p holds the address of the __managed__ variable words"));
}
