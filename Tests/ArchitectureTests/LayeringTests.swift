import Foundation
import Testing

/// Package.swift is the diagram of the house; these hold the sources to it.
struct LayeringTests {
  let manifest: Manifest
  let files: [SourceFile]

  init() throws {
    manifest = try Manifest()
    files = try Self.allFiles.get()
  }

  /// Read once for all tests.
  private static let allFiles = Result { try SourceFile.all() }

  /// Modules that come with Swift and need no declaration.
  static let platform: Set<String> = [
    "Swift", "Foundation", "FoundationEssentials", "FoundationXML", "Glibc", "Musl", "Dispatch", "Synchronization",
    "RegexBuilder", "Observation", "Testing",
  ]

  /// Who may import what is not ours; the shim is where Lua's errors may jump.
  static let owners: [String: Set<String>] = [
    "CSQLite": ["SQLite", "Records", "SQLiteStorage"],
    "CLua": ["CLuaShim", "LuaRuntime"],
    "CLuaShim": ["LuaRuntime"],
    "CRsvg": ["Plots"],
    "CPostgres": ["Postgres"],
    "CReadline": ["Terminal"],
    "CUTF8Proc": ["Presentation"],
    "CStreams": ["Terminal"],
    "CEpoll": ["HTTP"],
    "CSpawn": ["LuaBindings"],
    "CProcessors": ["Workers"],
    "CZlib": ["Compression"],
    "ArgumentParser": ["perilune"],
    "Testing": ["PeriluneConsoleTesting"],
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

  /// Where SQLiteStorage speaks to SQLite itself: loops that run once a column, whose calls must not cross a target.
  /// The list may only become shorter.
  static let nearSQLite: Set<String> = [
    // Columns on their way into packed rows, and the places of rows among results.
    "RowPacker.swift", "StatementRowCursor.swift", "StatementPlacementRow.swift", "Statement+StorageClass.swift",
  ]

  @Test func onlyRowsSeeSQLiteFromItsStore() {
    let importers = files.filter { $0.imports.contains("CSQLite") && $0.target == "SQLiteStorage" }.map(\.name)
    #expect(Set(importers) == Self.nearSQLite, "ask Connection, Statement or SQLFunctionCall")
  }

  @Test func onlyTheReadlineEditorSeesReadline() {
    let importers = files.filter { $0.imports.contains("CReadline") && $0.target != "CReadline" }.map(\.name)
    #expect(
      Set(importers).isSubset(of: [
        "ReadlineEditor.swift", "ReadlineEditor+Completion.swift", "ReadlineEditor+Terminal.swift",
        "ReadlineEditor+Vi.swift",
        "ReadlineEditor+Search.swift", "ReadlineEditor+Recall.swift", "ReadlineEditor+Display.swift",
        "ReadlineEditor+Hints.swift",
      ]))
  }

  @Test func aSessionKnowsNoTerminal() {
    let known = manifest["Session"]?.dependencies ?? []
    #expect(!known.isEmpty && Set(known).isDisjoint(with: ["Terminal", "Shell", "CReadline", "CStreams"]))
    let below = manifest["Presentation"]?.dependencies ?? ["Terminal"]
    #expect(!below.contains("Terminal"))
  }

  @Test func theEngineDoesNotKnowLuaAndLuaDoesNotKnowTheEngine() {
    let lua: Set<String> = ["CLua", "CLuaShim", "LuaRuntime", "LuaBindings"]
    let engine: Set<String> = [
      "Modeling", "Queries", "StoreErrors", "SQLite", "Postgres", "Layouts", "Stores", "RelationalStorage", "Records",
      "SQLiteStorage", "PostgresStorage", "Transfer", "ObjectGraph", "LiveQueries", "Reactive", "PeriluneKit",
      "Plots", "Workers",
    ]
    for target in manifest.targets where engine.contains(target.name) {
      #expect(lua.isDisjoint(with: target.dependencies), "\(target.name) knows Lua")
    }
    for target in manifest.targets where ["CLuaShim", "LuaRuntime"].contains(target.name) {
      #expect(engine.isDisjoint(with: target.dependencies), "\(target.name) knows the engine")
    }
  }

  @Test func aConsoleInAProgramHasNoTerminal() {
    let terminal: Set<String> = ["CReadline", "Terminal", "Shell", "CStreams"]
    #expect(reachable(from: "PeriluneConsole").isSuperset(of: ["PeriluneKit", "LuaBindings"]))
    #expect(reachable(from: "PeriluneConsole").isDisjoint(with: terminal))
    #expect(reachable(from: "PeriluneKit").isDisjoint(with: ["LuaRuntime", "LuaBindings", "CLua"]))
  }

  @Test func theEngineReachesNoDatabase() {
    let databases: Set<String> = ["SQLite", "CSQLite", "Postgres", "CPostgres", "RelationalStorage", "Records"]
    for name in ["Stores", "ObjectGraph", "LiveQueries"] {
      let reached = reachable(from: name)
      #expect(reached.isDisjoint(with: databases), "\(name) reaches \(reached.intersection(databases).sorted())")
    }
  }

  /// The targets that a target depends on, and those that these depend on.
  private func reachable(from name: String) -> Set<String> {
    var reached: Set<String> = []
    var waiting = [name]
    while let next = waiting.popLast() {
      for dependency in manifest[next]?.dependencies ?? [] where reached.insert(dependency).inserted {
        waiting.append(dependency)
      }
    }
    return reached
  }

  @Test func theSearchForDatabasesFollowsDependencies() {
    #expect(reachable(from: "PeriluneKit").isSuperset(of: ["Stores", "SQLite", "CSQLite"]))
  }

  /// What decides by the kind of a store; to show people what a store is remains allowed.
  private static var decisions: SourceRule {
    SourceRule(
      ["kind", "coreData", "CoreDataStore", "OwnFormat", "PlainFormat"],
      // A comment may name it.
      #/^[^\/]*?(?:\bkind (==|!=) \.(perilune|sqlite|coreData)\b|\b(as[?!]?|is) (CoreDataStore|OwnFormat|PlainFormat)\b|\bcoreData\b)/#
    )
  }

  @Test func onlyFormatsDecideByTheKindOfAStore() throws {
    let findings = try Self.decisions.findings(in: "Sources/SQLiteStorage") { !$0.hasPrefix("Formats/") }
    #expect(findings.isEmpty, "ask StoreFormat: \(findings)")
  }

  @Test func theRuleFindsDecisions() {
    #expect(Self.decisions.finds("    guard store.kind == .perilune else { return }"))
    #expect(Self.decisions.finds("    store.coreData != nil"))
    #expect(Self.decisions.finds("    if let coreData { return try insert(coreData) }"))
    #expect(!Self.decisions.finds("    text = store.kind.rawValue"))
    #expect(!Self.decisions.finds("    // coreData is asked in Formats"))
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

  /// Targets whose tests are a folder of another's: each bundle of tests costs linking.
  static let testedWith = [
    "SQLite": "Storage", "Layouts": "Storage", "Stores": "Storage", "RelationalStorage": "Storage",
    "Records": "Storage", "Workers": "Storage",
    "SQLiteStorage": "Storage", "PostgresStorage": "Storage",
    "Session": "Shell", "FullScreens": "Shell", "Comparison": "ObjectStore",
    "RemoteConsole": "PeriluneConsole", "Sockets": "HTTP", "PeriluneConsoleTesting": "PeriluneConsole",
    "PeriluneConsoleTerminal": "Example",
  ]
  /// Targets without code that could be wrong.
  static let untested: Set<String> = ["perilune", "CLuaShim", "CRsvg", "CPostgres", "StoreErrors"]

  @Test func everyLayerHasItsTests() {
    for target in manifest.layers where !Self.untested.contains(target.name) {
      let places = ["\(target.name)Tests"] + (Self.testedWith[target.name].map { ["\($0)Tests/\(target.name)"] } ?? [])
      let isTested = places.contains { place in
        FileManager.default.fileExists(atPath: Manifest.root.appending(path: "Tests/\(place)").path)
      }
      #expect(isTested, "there is no Tests/\(places[0])")
    }
  }
}
