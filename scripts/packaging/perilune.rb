# The formula for Homebrew on Linux, which installs the tarball: brew install --formula ./perilune.rb
# scripts/package fills in what is written in capitals, with the tarball beside it as the address; to publish, put the
# address of a download there. Untried: it was written without Homebrew at hand.
class Perilune < Formula
  desc "Scripting shell for exploring SQLite and Core Data stores"
  homepage "HOMEPAGE"
  url "ADDRESS"
  version "VERSION"
  sha256 "CHECKSUM"

  depends_on :linux

  def install
    bin.install "bin/perilune"
    man1.install Dir["share/man/man1/*"]
    bash_completion.install "share/bash-completion/completions/perilune"
    zsh_completion.install "share/zsh/vendor-completions/_perilune"
    fish_completion.install "share/fish/vendor_completions.d/perilune.fish"
    doc.install Dir["share/doc/perilune/*"]
  end

  test do
    assert_equal "2\n", shell_output("#{bin}/perilune -e 'print(1 + 1)'")
  end
end
