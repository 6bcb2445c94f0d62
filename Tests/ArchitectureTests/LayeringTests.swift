import Foundation
import Testing

/// Package.swift is the diagram of the house; these hold the sources to it.
struct LayeringTests {
  let manifest: Manifest
  let files: [SourceFile]

  init() throws {
    manifest = try Manifest()
    files = try SourceFile.all()
  }

  /// Modules that come with Swift and need no declaration.
  static let platform: Set<String> = [
    "Swift", "Foundation", "FoundationEssentials", "FoundationXML", "Glibc", "Musl", "Dispatch", "Synchronization",
    "RegexBuilder",
  ]

  /// Who may import what is not ours; the shim is where Lua's errors may jump.
  static let owners: [String: Set<String>] = [
    "CSQLite": ["Storage"],
    "CLua": ["CLuaShim", "LuaRuntime"],
    "CLuaShim": ["LuaRuntime"],
    "CReadline": ["Shell"],
    "CUTF8Proc": ["Shell"],
    "CStreams": ["Shell"],
    "CZlib": ["AppleModels"],
    "ArgumentParser": ["perilune"],
  ]

  @Test func everyFolderOfSourcesIsATargetAndTheOtherWayRound() throws {
    let sources = Manifest.root.appending(path: "Sources")
    let folders = try FileManager.default.contentsOfDirectory(atPath: sources.path).filter { !$0.hasPrefix(".") }
    #expect(Set(folders) == Set(manifest.targets.map(\.name)))
  }

  @Test func whatIsImportedIsDeclared() {
    for file in files where manifest[file.target]?.isSystemLibrary == false {
      let declared = Set(manifest[file.target]?.dependencies ?? []).union(Self.platform)
      let undeclared = file.imports.subtracting(declared).subtracting([file.target])
      #expect(undeclared.isEmpty, "\(file.target)/\(file.name) imports \(undeclared.sorted()) without a declaration")
    }
  }

  @Test func arrowsNeverTurnBack() {
    var above: Set<String> = Set(manifest.outsideModules.values)
    for target in manifest.targets {
      let upward = Set(target.dependencies).subtracting(above)
      #expect(upward.isEmpty, "\(target.name) depends on \(upward.sorted()), which Package.swift declares after it")
      above.insert(target.name)
    }
  }

  @Test func eachOutsideLibraryIsImportedByItsOwnerAlone() {
    for (library, owners) in Self.owners {
      let importers = Set(files.filter { $0.imports.contains(library) && $0.target != library }.map(\.target))
        .filter { manifest[$0]?.isSystemLibrary == false }
      #expect(importers.isSubset(of: owners), "\(library) is imported by \(importers.sorted())")
    }
  }

  @Test func everyOutsideLibraryHasAnOwner() {
    let outside = manifest.targets.filter(\.isSystemLibrary).map(\.name) + manifest.outsideModules.values
    for library in outside {
      #expect(Self.owners[library] != nil, "say in `owners` who may import \(library)")
    }
  }

  @Test func onlyTheReadlineEditorSeesReadline() {
    let importers = files.filter { $0.imports.contains("CReadline") && $0.target != "CReadline" }.map(\.name)
    #expect(
      Set(importers).isSubset(of: [
        "ReadlineEditor.swift", "ReadlineEditor+Completion.swift", "ReadlineEditor+Terminal.swift",
      ]))
  }

  @Test func theEngineDoesNotKnowLuaAndLuaDoesNotKnowTheEngine() {
    let lua: Set<String> = ["CLua", "CLuaShim", "LuaRuntime", "LuaBindings"]
    let engine: Set<String> = ["Modeling", "Queries", "Storage", "ObjectGraph", "LiveQueries", "Reactive"]
    for target in manifest.targets where engine.contains(target.name) {
      #expect(lua.isDisjoint(with: target.dependencies), "\(target.name) knows Lua")
    }
    for target in manifest.targets where ["CLuaShim", "LuaRuntime"].contains(target.name) {
      #expect(engine.isDisjoint(with: target.dependencies), "\(target.name) knows the engine")
    }
  }

  @Test func everyConnectionOfSQLitesIsOpenedByTheGuard() throws {
    let openers = try SourceFile.texts().filter { $0.text.contains(/\bsqlite3_open(?:16|_v2)?\b/) }.map(\.name)
    // A comment may name it; a call elsewhere would have neither the guard's functions nor its settings.
    #expect(Set(openers) == ["GuardedHandle.swift"], "\(openers) open connections past GuardedHandle")
    let loaders = try SourceFile.texts().filter {
      $0.text.contains(/sqlite3_(?:enable_)?load_extension|auto_extension/)
    }
    #expect(loaders.isEmpty, "\(loaders.map(\.name)) load code into SQLite")
  }

  @Test func everyLayerHasItsTests() {
    for target in manifest.layers where target.name != "perilune" && target.name != "CLuaShim" {
      let tests = Manifest.root.appending(path: "Tests/\(target.name)Tests")
      #expect(FileManager.default.fileExists(atPath: tests.path), "there is no Tests/\(target.name)Tests")
    }
  }
}
