import Foundation
import TestSupport
import Testing

/// Three stores are merged, by itself and by git.
@Suite struct MergeRunTests {
  /// `quakes.sqlite`, and two copies of it that were changed.
  private func three(_ mine: String, _ theirs: String) throws -> BuiltProgram {
    let program = try BuiltProgram.withStore()
    for (name, change) in [("mine.sqlite", mine), ("theirs.sqlite", theirs)] {
      try FileManager.default.copyItem(atPath: program.path("quakes.sqlite"), toPath: program.path(name))
      #expect(try program.run([name, "-e", change + " save()"]).status == 0)
    }
    return program
  }

  @Test func changesOfBothAreKept() throws {
    let program = try three(
      "Quake:find('us1').magnitude = 9",
      "Quake:find('us1').place = 'here' Quake { code = 'n' } Quake:find('us3'):delete()")
    let dry = try program.run(["merge", "quakes.sqlite", "mine.sqlite", "theirs.sqlite", "--dry-run"])
    #expect(dry.status == 0 && dry.output.contains("nothing of this was kept"), "\(dry)")
    let merged = try program.run(["merge", "quakes.sqlite", "mine.sqlite", "theirs.sqlite"])
    #expect(merged.status == 0 && merged.errors == "1 inserted, 1 updated, 1 deleted\n", "\(merged)")
    let rest = try program.run(["compare", "theirs.sqlite", "mine.sqlite", "Quake"])
    #expect(rest.output == "~ Quake us1: magnitude 1.5 → 9.0\nQuake by code: 1 updated, 4 equal\n", "\(rest)")
  }

  @Test func aConflictWritesNothingUnlessAPolicySettlesIt() throws {
    let program = try three("Quake:find('us1').magnitude = 9", "Quake:find('us1').magnitude = 8 Quake { code = 'n' }")
    let refused = try program.run(["merge", "quakes.sqlite", "mine.sqlite", "theirs.sqlite"])
    #expect(
      refused.status == 1 && refused.errors.contains("Quake us1: magnitude is 9.0, expected 1.5, to become 8.0"),
      "\(refused)")
    #expect(try program.run(["mine.sqlite", "-e", "Quake:count()"]).output == "5\n")
    let settled = try program.run(["merge", "quakes.sqlite", "mine.sqlite", "theirs.sqlite", "--policy", "storeTrump"])
    #expect(settled.status == 0, "\(settled)")
    #expect(
      try program.run(["mine.sqlite", "-e", "print(Quake:count(), Quake:find('us1').magnitude)"]).output == "6\t9.0\n")
    #expect(
      try program.run(["merge", "quakes.sqlite", "none.sqlite", "theirs.sqlite"]).errors.contains("create") == false)
  }

  // MARK: git

  static let hasGit = FileManager.default.isExecutableFile(atPath: "/usr/bin/git")

  private func git(_ program: BuiltProgram, _ words: String...) throws -> BuiltProgram.Result {
    try program.shell(["git", "-c", "user.name=me", "-c", "user.email=me@here"] + words)
  }

  private func repository() throws -> BuiltProgram {
    let program = try BuiltProgram.withStore()
    for words in [
      ["init", "-q", "-b", "main"], ["config", "diff.perilune.textconv", "perilune compare --textconv"],
      ["config", "merge.perilune.driver", "perilune merge %O %A %B"],
    ] { #expect(try program.shell(["git"] + words).status == 0) }
    try program.write(".gitattributes", "*.sqlite diff=perilune merge=perilune\n")
    #expect(try git(program, "add", ".gitattributes", "quakes.sqlite").status == 0)
    #expect(try git(program, "commit", "-qm", "one").status == 0)
    return program
  }

  private func commit(_ program: BuiltProgram, _ change: String) throws {
    #expect(try program.run(["quakes.sqlite", "-e", change + " save()"]).status == 0)
    let result = try git(program, "commit", "-qam", change)
    #expect(result.status == 0, "\(result)")
  }

  @Test(.enabled(if: hasGit, "git is not installed")) func gitShowsWhatAStoreChanged() throws {
    let program = try repository()
    #expect(try program.run(["quakes.sqlite", "-e", "Quake:find('us1').magnitude = 0.5 save()"]).status == 0)
    let shown = try git(program, "diff", "-U1")
    #expect(shown.output.contains("   code = \"us1\"\n-  magnitude = 1.5\n+  magnitude = 0.5\n"), "\(shown)")
  }

  @Test(.enabled(if: hasGit, "git is not installed")) func gitMergesStores() throws {
    let program = try repository()
    #expect(try git(program, "checkout", "-qb", "other").status == 0)
    try commit(program, "Quake:find('us1').magnitude = 0.5 Quake { code = 'n' }")
    #expect(try git(program, "checkout", "-q", "main").status == 0)
    try commit(program, "Quake:find('us1').place = 'here' Quake:find('us3'):delete()")
    let merged = try git(program, "merge", "-q", "--no-edit", "other")
    #expect(merged.status == 0, "\(merged)")
    let state = "print(Quake:find('us1').magnitude, Quake:find('us1').place, Quake:find('n') ~= nil, Quake:find('us3'))"
    #expect(try program.run(["quakes.sqlite", "-e", state]).output == "0.5\there\ttrue\tnil\n")
    #expect(try git(program, "status", "--porcelain", "--untracked-files=no").output == "")

    #expect(try git(program, "checkout", "-q", "other").status == 0)
    try commit(program, "Quake:find('us2').magnitude = 1")
    #expect(try git(program, "checkout", "-q", "main").status == 0)
    try commit(program, "Quake:find('us2').magnitude = 2")
    let refused = try git(program, "merge", "-q", "--no-edit", "other")
    #expect(
      refused.status == 1 && refused.errors.contains("Quake us2: magnitude is 2.0, expected 2.5, to become 1.0"),
      "\(refused)")
    #expect(try program.run(["quakes.sqlite", "-e", "Quake:find('us2').magnitude"]).output == "2.0\n")
  }
}
