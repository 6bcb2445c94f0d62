import Foundation
import Modeling
import Queries
import TestSupport

/// A program of printed predicates, compiled and run, that answers each of them for each object.
struct ProofProgram {
  /// What stands in one file.
  private static let predicatesPerFile = 25

  private let folder: URL

  init() {
    folder = TemporaryFolder.ofThisRun.appendingPathComponent("perilune-proof-\(UUID().uuidString)")
  }

  /// The answers of the printed predicates, a text of 0 and 1 each, or what the compiler says.
  ///
  /// - Parameter sources: for each predicate what is printed, and the call or constant that is the predicate.
  func answers(to sources: [(source: String, value: String)]) throws -> [String] {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var files = ["Model.swift": modelSource]
    for start in stride(from: 0, to: sources.count, by: Self.predicatesPerFile) {
      let functions = (start..<min(start + Self.predicatesPerFile, sources.count)).map { number in
        "func make\(number)() -> Predicate<Quake> {\n\(sources[number].source)\nreturn \(sources[number].value)\n}\n"
      }
      files["Predicates\(start).swift"] = "import Foundation\n\n" + functions.joined(separator: "\n")
    }
    files["main.swift"] = mainSource(sources.count)
    for (name, text) in files { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
    let program = folder.appendingPathComponent("proof").path
    try Self.run(
      ["swiftc", "-Onone", "-j2", "-swift-version", "6", "-o", program]
        + files.keys.sorted().map { folder.appendingPathComponent($0).path })
    return try Self.run([program]).split(separator: "\n").map(String.init)
  }

  /// What a command prints; fails with what it says when it fails.
  @discardableResult
  private static func run(_ command: [String]) throws -> String {
    let output = try OutsideCommand.run(command, seconds: 1_800)
    guard output.status == 0 else { throw Failure(text: output.text) }
    return output.text
  }

  /// What a command that failed printed.
  struct Failure: Error {
    var text: String
  }

  // MARK: The model as Swift

  private var modelSource: String {
    "import Foundation\n\n"
      + ProofModel.model.entities.map { entity in
        let properties = entity.description.properties.map { property -> String in
          switch property {
          case .attribute(let attribute):
            "  var `\(attribute.name)`: \(Self.typeName(attribute.type))\(attribute.isOptional ? "? = nil" : " = \(Self.zero(attribute.type))")"
          case .relationship(let relationship):
            relationship.isToMany
              ? "  var \(relationship.name): [\(relationship.destination)] = []"
              : "  var \(relationship.name): \(relationship.destination)? = nil"
          }
        }
        if let parent = entity.parent {
          return "class \(entity.name): \(parent.name) {\n\(properties.joined(separator: "\n"))\n}\n"
        }
        return """
          class \(entity.name): Equatable {
          \(properties.joined(separator: "\n"))
            static func == (left: \(entity.name), right: \(entity.name)) -> Bool { left === right }
          }

          """
      }.joined(separator: "\n")
  }

  private static func typeName(_ type: AttributeType) -> String {
    switch type {
    case .integer16: "Int16"
    case .integer32: "Int32"
    case .integer64: "Int"
    case .boolean: "Bool"
    default: type.rawValue
    }
  }

  private static func zero(_ type: AttributeType) -> String {
    switch type {
    case .string: "\"\""
    case .boolean: "false"
    case .date: "Date(timeIntervalSinceReferenceDate: 0)"
    case .uuid: "UUID()"
    default: "0"
    }
  }

  // MARK: The objects and the answers

  private func mainSource(_ count: Int) -> String {
    var lines = ["import Foundation", ""]
    var known: [ObjectIdentifier: String] = [:]
    func make(_ object: ProofObject) -> String {
      if let name = known[ObjectIdentifier(object)] { return name }
      let name = "object\(known.count)"
      known[ObjectIdentifier(object)] = name
      lines.append("let \(name) = \(object.entity.name)()")
      for (key, value) in object.values.sorted(by: { $0.key < $1.key }) {
        lines.append("\(name).`\(key)` = \(Self.literal(value))")
      }
      for (key, other) in object.ones.sorted(by: { $0.key < $1.key }) {
        lines.append("\(name).\(key) = \(make(other))")
      }
      for (key, others) in object.many.sorted(by: { $0.key < $1.key }) {
        lines.append("\(name).\(key) = [\(others.map(make).joined(separator: ", "))]")
      }
      return name
    }
    let names = ProofObject.quakes().map(make)
    lines.append("let quakes: [Quake] = [\(names.joined(separator: ", "))]")
    lines.append(
      """
      @MainActor func answer(_ predicate: Predicate<Quake>) {
        print(quakes.map { quake in
          do { return try predicate.evaluate(quake) ? "1" : "0" } catch { return "!" }
        }.joined())
      }
      """)
    lines += (0..<count).map { "answer(make\($0)())" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A value as Swift, told apart from the printer that is tested.
  static func literal(_ value: Value) -> String {
    switch value {
    case .null: "nil"
    case .bool(let flag): "\(flag)"
    case .int(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let number): "Decimal(string: \"\(number)\")!"
    case .string(let text): text.debugDescription
    case .date(let date): "Date(timeIntervalSince1970: \(date.seconds))"
    case .uuid(let uuid): "UUID(uuidString: \"\(uuid)\")!"
    case .url(let text): "URL(string: \"\(text)\")!"
    case .data(let bytes): "Data(\(bytes))"
    case .json, .object: "nil"
    case .list(let values): "[\(values.map(literal).joined(separator: ", "))]"
    }
  }
}
