import Foundation
import Modeling
import SwiftPrinting
import TestSupport
import Testing

@Suite struct SwiftModelNamesTests {
  /// A model whose names Swift or the frameworks have for something else, or cannot have at all.
  private func strange() throws -> Model {
    func entity(_ name: String, _ names: [String], parent: String? = nil) -> EntityDescription {
      EntityDescription(name, parent: parent, properties: names.map { .attribute(Attribute($0, .string)) })
    }
    var place = Attribute("place", .composite)
    place.elements = ["class", "a b", "a_b", "😀"].map { Attribute($0, .double) }
    var colour = Attribute("colour", .transformable)
    colour.valueClassName = "Paint.Colour"
    var odd = entity(
      "Größe",
      [
        "straße", "class", "self", "init", "Type", "Protocol", "description", "hash", "1st", "a b", "a.b", "a_b", "😀",
        "💡", "_", "__", "in", "Self", "default", "isDeleted", "objectID",
      ])
    odd.properties += [.attribute(place), .attribute(colour)]
    odd.properties.append(.relationship(Relationship(toMany: "protocol", "2nd", inverse: "self")))
    odd.indexes = [["self", "1st"], ["place.a b", "Type"]]
    odd.uniquenessConstraints = [["a.b", "description"]]
    var second = entity("2nd", ["default", "id"])
    second.properties.append(.relationship(Relationship(toOne: "self", "Größe", inverse: "protocol")))
    let named = ["Type", "Any", "String", "Date", "Self", "Int", "int", "😀", "NSManagedObject", "a\"b", "Set", "Model"]
    return try Model(
      [odd, second, entity("Sub", ["a_b2", "x y"], parent: "Größe")] + named.map { entity($0, ["x", "date"]) })
  }

  /// What the compiler says of SwiftData's classes without its macros; their key paths are kept.
  private func complaints(_ source: String) throws -> String {
    var lines: [String] = ["import Foundation", "final class Paint { final class Colour {} }"]
    var paths: [String] = []
    for line in source.split(separator: "\n").map(String.init) where line != "@Model" && line != "import SwiftData" {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("#") {
        let name = text.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" }
        let list = text.drop { $0 != "(" }.dropFirst().dropLast()
        paths.append("let path\(paths.count): [[PartialKeyPath<\(name)>]] = [\(list)]")
      } else if text.hasPrefix("@"), let declaration = text.range(of: " var ") {
        if let inverse = text.range(of: "inverse: ") {
          let path = text[inverse.upperBound...].prefix { $0 != ")" && $0 != "," }
          paths.append("let path\(paths.count) = \(path)")
        }
        lines.append("  " + text[declaration.lowerBound...])
      } else {
        lines.append(line)
      }
    }
    let file = TemporaryFolder.ofThisRun.appending(path: "\(UUID().uuidString).swift")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data((lines + paths).joined(separator: "\n").utf8).write(to: file)
    let output = try OutsideCommand.run(["swiftc", "-typecheck", file.path])
    return output.status == 0 ? "" : output.text
  }

  @Test func classesCompileWhateverTheModelsNamesAre() throws {
    let source = try SwiftModelSource(strange(), .swiftData)
    #expect(source.text.contains("#Index<") && source.text.contains("inverse: "))
    #expect(try complaints(source.text) == "")
    #expect(try complaints(source.text + "\nlet wrong: Größe = 1") != "")
  }

  @Test func whatIsCalledOtherwiseIsNoted() throws {
    let notes = try SwiftModelSource(strange(), .swiftData).notes
    for note in [
      "Größe.description is descriptionValue there", "Größe.a b is a_b2 there", "Größe.😀 is unnamed there",
      "Date is DateEntity there", "2nd is _2nd there",
      "Sub inherits from Größe, which SwiftData takes from iOS 26 and macOS 26 on",
    ] { #expect(notes.contains(note), "\(note): \(notes)") }
    #expect(!notes.contains { $0.contains("straße") || $0.contains("default") })
    let managed = try SwiftModelSource(strange(), .coreData)
    #expect(managed.notes.contains("Date: its class is DateEntity, which the app's model has to name"))
    #expect(managed.notes.contains("Größe.objectID is called like a member of NSManagedObject: use value(forKey:)"))
    #expect(managed.text.contains("@NSManaged public var colour: Paint.Colour?"))
    #expect(!managed.text.contains("public var objectID"))
  }

  @Test func aPropertyKeepsWhatItWasCalledInTheStore() throws {
    let text = try SwiftModelSource(strange(), .swiftData).text
    #expect(text.contains("@Attribute(originalName: \"description\") var descriptionValue: String?"))
    #expect(text.contains("@Attribute(originalName: \"a b\") var a_b2: String?"))
    #expect(text.contains("originalName: \"self\") var selfValue: Größe?"))
    // The member that makes way may be another's.
    #expect(text.contains("@Attribute(originalName: \"hash\") var hashValue2: String?"))
    #expect(text.contains("#Index<Größe>([\\.selfValue, \\._1st], [\\.place?.a_b2, \\.TypeValue])"))
  }
}
