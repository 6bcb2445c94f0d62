import Foundation
import TestSupport
import Testing

/// The Swift of docs/embedding.md is one program, which prints what stands beside it.
@Suite struct EmbeddingDocumentTests {
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

  @Test(.enabled(if: OutsideProgram.canBeCompiled, "there are no modules beside the tests to compile against"))
  func theDocumentDoesWhatItShows() throws {
    let text = try String(contentsOf: OutsideProgram.root.appending(path: "docs/embedding.md"), encoding: .utf8)
    var (source, expected) = ("", "")
    for match in text.matches(of: /```(swift|text)\n((?:.|\n)*?)```/) {
      if match.1 == "swift" { source += match.2 } else { expected += match.2 }
    }
    let imports = source.split(separator: "\n").filter { $0.hasPrefix("import ") }.joined(separator: "\n")
    let rest = source.split(separator: "\n").filter { !$0.hasPrefix("import ") }.joined(separator: "\n")
    let folder = try TemporaryFolder(forSocketsOf: "document")
    try (imports + "\n" + Self.beginning + rest + "\n").write(
      toFile: folder.file("main.swift"), atomically: true, encoding: .utf8)
    let classes = OutsideProgram.root.appending(path: "Tests/PeriluneConsoleTests/Support/Orders.swift").path
    try OutsideProgram.compile(
      [folder.file("main.swift"), classes], to: folder.file("program"), with: .console)
    let output = try OutsideProgram.run([folder.file("program")], in: folder)
    #expect(output == expected, "\(output)")
  }
}
