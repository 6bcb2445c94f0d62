// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

/// A target of Sources and the layers it may import; Tests/ArchitectureTests holds the imports against these lines.
func layer(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies + ["TestSupport"], exclude: exclude, swiftSettings: settings)
}

/// What the tests share; no product depends on it.
func testSupport(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: settings)
}

/// A program that tests run; no product depends on it.
func testProgram(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: settings)
}

/// What the proofs below Proof run; no product depends on it.
func proof(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Proof/\(name)", swiftSettings: settings)
}

/// A program of the proofs.
func proofProgram(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: "Proof/\(name)", swiftSettings: settings)
}

/// A program below Examples that embeds the engine.
func example(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = ["expected.txt", "README.md", "model.lua"]
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Examples/\(name)",
    exclude: exclude, swiftSettings: settings
  )
}

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "Perilune",
  // What other packages may use. All other targets are for this package alone.
  products: [
    .executable(name: "perilune", targets: ["perilune"]),
    .library(name: "PeriluneKit", targets: ["PeriluneKit"]),
    .library(name: "PeriluneConsole", targets: ["PeriluneConsole"]),
    .library(name: "PeriluneConsoleTerminal", targets: ["PeriluneConsoleTerminal"]),
    .library(name: "PeriluneConsoleTesting", targets: ["PeriluneConsoleTesting"]),
    .library(name: "Modeling", targets: ["Modeling"]),
    .library(name: "Queries", targets: ["Queries"]),
  ],
  dependencies: [.package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")],
  targets: [
    .systemLibrary(name: "CLua", providers: [.apt(["liblua5.4-dev"])]),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CReadline", providers: [.apt(["libreadline-dev"])]),
    .systemLibrary(name: "CUTF8Proc", providers: [.apt(["libutf8proc-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CStreams"),
    .systemLibrary(name: "CEpoll"),
    .systemLibrary(name: "CSpawn"),
    .systemLibrary(name: "CProcessors"),
    .target(name: "CLuaShim", dependencies: ["CLua"]),
    .target(name: "CRsvg"),
    .target(name: "CPostgres"),

    layer("Workers", ["CProcessors"]),
    layer("Modeling"),
    layer("Plots", ["Modeling", "CRsvg"]),
    layer("Queries", ["Modeling"]),
    layer("SwiftParsing", ["Queries", "Modeling"]),
    layer("SwiftReading", ["SwiftParsing", "Queries", "Modeling"]),
    layer("SwiftPrinting", ["SwiftReading", "SwiftParsing", "Queries", "Modeling"]),
    layer("Refusals", ["Queries", "Modeling"]),
    layer("Compression", ["CZlib"]),
    layer("Spreadsheets", ["Compression", "Modeling"]),
    layer("AppleModels", ["Queries", "Modeling", "Compression"]),
    layer("SourceChecking", ["SwiftReading", "SwiftParsing", "Refusals", "AppleModels", "Queries", "Modeling"]),
    layer("JSONRPC", ["Modeling"]),
    layer("StoreErrors", ["Modeling"]),
    layer("SQLite", ["StoreErrors", "Modeling", "Workers", "CSQLite"]),
    layer("Postgres", ["StoreErrors", "Modeling", "CPostgres"]),
    layer("Layouts", ["AppleModels", "Queries", "Modeling"]),
    layer("Stores", ["Layouts", "StoreErrors", "Queries", "Modeling"]),
    layer("RelationalStorage", ["Stores", "Layouts", "StoreErrors", "Modeling"]),
    layer("Records", ["Stores", "Layouts", "SQLite", "StoreErrors", "Modeling", "CSQLite"]),
    layer(
      "SQLiteStorage",
      [
        "Records", "RelationalStorage", "Stores", "Layouts", "SQLite", "StoreErrors", "AppleModels", "Queries",
        "Modeling", "Workers", "CSQLite",
      ]),
    layer(
      "PostgresStorage",
      ["Postgres", "RelationalStorage", "Stores", "Layouts", "StoreErrors", "Queries", "Modeling"]),
    layer("Transfer", ["Stores", "Queries", "Modeling"]),
    layer("ObjectGraph", ["Stores", "Queries", "Modeling", "Workers"]),
    layer("Comparison", ["ObjectGraph", "Stores", "Layouts", "Queries", "Modeling"]),
    layer("Reactive"),
    layer("LiveQueries", ["ObjectGraph", "Stores", "Queries", "Modeling", "Reactive"]),
    layer(
      "PeriluneKit",
      ["LiveQueries", "Reactive", "ObjectGraph", "SQLiteStorage", "Stores", "StoreErrors", "Queries", "Modeling"]),
    layer("LuaRuntime", ["CLuaShim", "CLua"]),
    layer(
      "LuaBindings",
      [
        "Comparison", "LiveQueries", "Reactive", "ObjectGraph", "Transfer", "PostgresStorage", "Postgres",
        "SQLiteStorage",
        "Stores",
        "StoreErrors", "SQLite", "AppleModels", "Spreadsheets", "Compression", "SourceChecking", "SwiftPrinting",
        "SwiftReading", "SwiftParsing", "Refusals", "Queries", "Plots", "Modeling", "LuaRuntime", "CSpawn",
      ]),
    layer("Presentation", ["AppleModels", "Modeling", "CUTF8Proc"]),
    layer(
      "Session",
      [
        "Presentation", "LuaBindings", "LuaRuntime", "Comparison", "Transfer", "LiveQueries", "Reactive", "ObjectGraph",
        "SourceChecking", "RelationalStorage", "Stores", "SQLite",
        "StoreErrors", "AppleModels", "Queries", "Plots", "Modeling",
      ]),
    layer(
      "LanguageServer",
      [
        "JSONRPC", "Session", "Presentation", "LuaBindings", "LuaRuntime", "ObjectGraph", "SourceChecking",
        "SwiftPrinting", "SwiftReading", "AppleModels", "Stores", "Queries", "Modeling",
      ]),
    layer(
      "FullScreens",
      [
        "Session", "Presentation", "LuaBindings", "LuaRuntime", "Comparison", "LiveQueries", "Reactive", "ObjectGraph",
        "Stores", "Queries", "Plots", "Modeling",
      ]),
    layer("Sockets"),
    layer("RemoteConsole", ["Sockets", "Modeling"]),
    layer(
      "PeriluneConsole",
      [
        "RemoteConsole", "FullScreens", "PeriluneKit", "Session", "Presentation", "LuaBindings", "LuaRuntime",
        "LiveQueries",
        "ObjectGraph", "Stores", "Modeling",
      ]),
    layer(
      "AgentServer",
      [
        "JSONRPC", "Session", "Presentation", "LuaBindings", "LuaRuntime", "Comparison", "Stores", "Layouts", "Queries",
        "Modeling",
      ]),
    layer("HTTP", ["Sockets", "Modeling", "CEpoll"]),
    layer(
      "Page",
      [
        "HTTP", "Session", "Presentation", "LuaBindings", "LuaRuntime", "LiveQueries", "Reactive", "ObjectGraph",
        "Stores",
        "Queries", "Modeling",
      ]),
    layer("Terminal", ["Presentation", "Modeling", "CReadline", "CStreams"]),
    layer(
      "Shell",
      [
        "RemoteConsole", "FullScreens",
        "Terminal", "AgentServer", "LanguageServer", "Page", "HTTP", "Session", "Presentation", "LuaBindings",
        "LuaRuntime", "Comparison", "Transfer",
        "LiveQueries", "Reactive", "ObjectGraph", "SourceChecking", "Stores", "SQLite", "StoreErrors",
        "SwiftReading", "AppleModels",
        "Queries", "Plots", "Modeling",
      ]),
    layer("PeriluneConsoleTesting", ["PeriluneConsole"]),
    layer("PeriluneConsoleTerminal", ["PeriluneConsole", "Shell"]),
    .executableTarget(
      name: "perilune", dependencies: ["Shell", "Session", argumentParser], swiftSettings: settings),

    example("LiveBoard", ["PeriluneKit"]),

    proof("Simulation", ["LuaBindings", "LuaRuntime", "Modeling", "CSQLite"]),
    proofProgram("simulate", ["Simulation"]),

    testSupport("TestSupport"),
    testProgram("PausingProgram", ["PeriluneConsoleTerminal", "PeriluneConsole", "PeriluneKit"]),
    testProgram("SessionLines", ["Session", "Presentation", "LuaBindings", "Modeling"]),
    testSupport("PostgresTestSupport", ["Postgres", "TestSupport"]),
    testSupport("StorageTestSupport", ["SQLiteStorage", "Stores", "Queries", "Modeling", "TestSupport"]),
    tests("ModelingTests", ["Modeling"]),
    tests("PlotsTests", ["Plots", "Modeling"]),
    tests("QueriesTests", ["Queries", "Modeling"]),
    tests("SwiftParsingTests", ["SwiftParsing", "Queries", "Modeling"]),
    tests("SwiftReadingTests", ["SwiftPrinting", "SwiftReading", "SwiftParsing", "Queries", "Modeling"]),
    tests("SwiftPrintingTests", ["SwiftPrinting", "SwiftReading", "SwiftParsing", "Queries", "Modeling"]),
    tests("RefusalsTests", ["Refusals", "Queries", "Modeling"]),
    tests("CompressionTests", ["Compression"]),
    tests("SpreadsheetsTests", ["Spreadsheets"]),
    tests("SourceCheckingTests", ["SourceChecking", "SwiftReading", "Queries", "Modeling"]),
    tests("AppleModelsTests", ["AppleModels", "Queries", "Modeling"]),
    tests(
      "StorageTests",
      [
        "StorageTestSupport", "ObjectGraph", "Transfer", "PostgresStorage", "Postgres", "SQLiteStorage",
        "RelationalStorage", "Stores", "Records",
        "Layouts", "SQLite", "AppleModels", "Queries", "Modeling", "Workers",
      ]),
    tests("PostgresTests", ["PostgresTestSupport", "Postgres", "StoreErrors", "Modeling"]),
    tests(
      "TransferTests", ["StorageTestSupport", "Transfer", "SQLiteStorage", "Stores", "SQLite", "Queries", "Modeling"]),
    tests("ObjectGraphTests", ["ObjectGraph", "SQLiteStorage", "Stores", "Queries", "Modeling"]),
    tests("ReactiveTests", ["Reactive"]),
    tests(
      "LiveQueriesTests", ["LiveQueries", "Reactive", "ObjectGraph", "SQLiteStorage", "Stores", "Queries", "Modeling"]),
    .testTarget(
      name: "PeriluneKitTests", dependencies: ["PeriluneKit", "TestSupport"],
      exclude: ["Support/model.lua", "Support/DocumentSamples.template", "Support/RefusedSamples.template"],
      swiftSettings: settings),
    .testTarget(
      name: "PeriluneConsoleTests",
      dependencies: [
        "PeriluneConsole", "PeriluneConsoleTesting", "RemoteConsole", "PeriluneKit", "Modeling", "TestSupport",
      ],
      exclude: ["Support/model.lua"], swiftSettings: settings),
    tests("LuaRuntimeTests", ["LuaRuntime"]),
    tests(
      "LuaBindingsTests",
      [
        "LuaBindings", "LuaRuntime", "LiveQueries", "Reactive", "ObjectGraph", "SQLiteStorage", "Stores", "Queries",
        "Plots",
        "Modeling",
      ], exclude: ["Transfer/Samples"]),
    tests("PresentationTests", ["Presentation", "Modeling"]),
    tests(
      "AgentServerTests",
      ["AgentServer", "PostgresTestSupport", "Postgres", "Presentation", "LuaBindings", "Stores", "Modeling"]),
    tests("JSONRPCTests", ["JSONRPC"]),
    tests("LanguageServerTests", ["LuaBindings", "Modeling"], exclude: ["Sessions"]),
    tests("HTTPTests", ["HTTP", "Sockets", "Modeling"]),
    .testTarget(
      name: "PageTests",
      dependencies: ["Page", "HTTP", "Session", "Presentation", "LuaBindings", "Stores", "Modeling", "TestSupport"],
      exclude: ["Browser/browser.py"], swiftSettings: settings),
    tests("TerminalTests", ["Terminal", "Presentation", "Modeling", "CReadline"]),
    tests(
      "ShellTests",
      ["Shell", "FullScreens", "Terminal", "Presentation", "LuaBindings", "LuaRuntime", "SQLite", "Plots", "Modeling"]),
    tests(
      "ObjectStoreTests",
      [
        "PostgresTestSupport", "PostgresStorage", "Postgres", "Comparison", "LiveQueries", "Reactive", "ObjectGraph",
        "Transfer",
        "SQLiteStorage", "Stores", "Queries", "Modeling",
      ]),
    tests("SimulationTests", ["Simulation", "Modeling"]),
    tests("ArchitectureTests", []),
    tests("ExampleTests", []),
  ]
)
