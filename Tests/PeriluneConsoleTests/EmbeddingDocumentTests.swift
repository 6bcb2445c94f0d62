import Foundation
import TestSupport
import Testing

/// The Swift of docs/embedding.md is one program, which prints what stands beside it.
@Suite struct EmbeddingDocumentTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let products = BuiltProduct.perilune.deletingLastPathComponent()

  /// A store with three orders of a customer, which the document opens.
  private static let beginning = """
    func fill() throws {
      let container = try PersistentContainer("orders.sqlite", for: OrdersSchema.self)
      let customer = Customer(context: container.viewContext)
      customer.name = "Ada"
      for number in 1...3 {
        let order = Order(context: container.viewContext)
        (order.number, order.total, order.customer) = (number, Double(number) * 10, customer)
      }
      try container.viewContext.save()
    }
    try fill()

    """

  @Test func theDocumentDoesWhatItShows() throws {
    let text = try String(contentsOf: Self.root.appending(path: "docs/embedding.md"), encoding: .utf8)
    var (source, expected) = ("", "")
    for match in text.matches(of: /```(swift|text)\n((?:.|\n)*?)```/) {
      if match.1 == "swift" { source += match.2 } else { expected += match.2 }
    }
    let imports = source.split(separator: "\n").filter { $0.hasPrefix("import ") }.joined(separator: "\n")
    let rest = source.split(separator: "\n").filter { !$0.hasPrefix("import ") }.joined(separator: "\n")
    let folder = try TemporaryFolder(forSocketsOf: "document")
    try (imports + "\n" + Self.beginning + rest + "\n").write(
      toFile: folder.file("main.swift"), atomically: true, encoding: .utf8)
    try Self.compile(in: folder)
    let output = try Self.run([folder.file("program")], in: folder)
    #expect(output.text == expected, "\(output.text)")
  }

  private static func compile(in folder: TemporaryFolder) throws {
    let list = products.appending(path: "OrderServer.product/Objects.LinkFileList")
    let objects = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
      .map { $0.trimmingCharacters(in: ["'", "\""]) }.filter { !$0.contains("/OrderServer.build/") }
    let sources = [folder.file("main.swift"), root.path + "/Tests/PeriluneConsoleTests/Support/Orders.swift"]
    let output = try run(
      ["swiftc", "-Onone", "-swift-version", "6", "-warnings-as-errors", "-I", products.path + "/Modules"]
        + moduleMaps().flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] } + sources + objects
        + ["-llua5.4", "-lsqlite3", "-lutf8proc", "-lz", "-o", folder.file("program")], in: folder)
    try #require(output.status == 0, "\(output.text)")
  }

  private static func moduleMaps() throws -> [String] {
    let own = try FileManager.default.contentsOfDirectory(atPath: root.path + "/Sources").map {
      "\(root.path)/Sources/\($0)/module.modulemap"
    }
    let made = try FileManager.default.contentsOfDirectory(atPath: products.path).map {
      "\(products.path)/\($0)/module.modulemap"
    }
    return (own + made).filter(FileManager.default.fileExists)
  }

  private static func run(_ command: [String], in folder: TemporaryFolder) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["timeout", "300"] + command
    process.environment = TemporaryFolder.environment
    process.currentDirectoryURL = folder.url
    let path = folder.file(UUID().uuidString)
    try Data().write(to: URL(filePath: path))
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    (process.standardOutput, process.standardError) = (handle, handle)
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, try String(contentsOfFile: path, encoding: .utf8))
  }
}
