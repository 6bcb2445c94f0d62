/// Builds keyed archives as Apple's archiver writes them, for the classes that Foundation does not have here.
package final class ArchiveBuilder {
  /// The number of an object.
  package struct Reference { fileprivate let index: Int }

  /// What a field may hold.
  package enum Field {
    case null
    case bool(Bool)
    case int(Int)
    case real(Double)
    case text(String)
    case data([UInt8])
    case object(Reference)
    case array([Reference])
  }

  private enum Slot {
    case text(String)
    case plain(Field)
    case object(String, [String: Field])
    case empty
  }

  private var slots: [Slot] = [.text("$null")]

  package init() {}

  package func reserve() -> Reference {
    slots.append(.empty)
    return Reference(index: slots.count - 1)
  }

  package func fill(_ reference: Reference, _ className: String, _ fields: [String: Field]) {
    slots[reference.index] = .object(className, fields)
  }

  package func object(_ className: String, _ fields: [String: Field]) -> Reference {
    let reference = reserve()
    fill(reference, className, fields)
    return reference
  }

  package func string(_ text: String) -> Reference {
    slots.append(.text(text))
    return Reference(index: slots.count - 1)
  }

  package func plain(_ field: Field) -> Reference {
    slots.append(.plain(field))
    return Reference(index: slots.count - 1)
  }

  package func list(_ members: [Reference]) -> Reference { object("NSArray", ["NS.objects": .array(members)]) }

  package func dictionary(_ members: [(String, Reference)]) -> Reference {
    object(
      "NSDictionary", ["NS.keys": .array(members.map { string($0.0) }), "NS.objects": .array(members.map(\.1))])
  }

  /// The bytes of the archive.
  package func archive(root: Reference) -> [UInt8] {
    var writer = Writer()
    let classes = Dictionary(
      uniqueKeysWithValues: Set(slots.compactMap { if case .object(let name, _) = $0 { name } else { nil } })
        .sorted().enumerated().map { ($1, slots.count + $0) })
    var objects: [Int] = []
    for slot in slots {
      switch slot {
      case .text(let text): objects.append(writer.text(text))
      case .plain(let field): objects.append(writer.field(field))
      case .empty: objects.append(writer.text("$null"))
      case .object(let name, let fields):
        var entries = fields.sorted { $0.key < $1.key }.map { (writer.text($0.key), writer.field($0.value)) }
        if let index = classes[name] { entries.append((writer.text("$class"), writer.uid(index))) }
        objects.append(writer.dictionary(entries))
      }
    }
    for (name, _) in classes.sorted(by: { $0.value < $1.value }) {
      let names = [name] + (Self.parents[name] ?? []) + ["NSObject"]
      let list = names.map { writer.text($0) }
      objects.append(
        writer.dictionary([
          (writer.text("$classname"), writer.text(name)), (writer.text("$classes"), writer.array(list)),
        ]))
    }
    let top = writer.dictionary([(writer.text("root"), writer.uid(root.index))])
    let all = writer.array(objects)
    let last = writer.dictionary([
      (writer.text("$archiver"), writer.text("NSKeyedArchiver")), (writer.text("$objects"), all),
      (writer.text("$top"), top), (writer.text("$version"), writer.field(.int(100_000))),
    ])
    return writer.bytes(root: last)
  }

  /// Whom classes inherit from, as their archives tell.
  private static let parents: [String: [String]] = [
    "NSMutableArray": ["NSArray"], "NSMutableDictionary": ["NSDictionary"],
    "NSAttributeDescription": ["NSPropertyDescription"],
    "NSDerivedAttributeDescription": ["NSAttributeDescription", "NSPropertyDescription"],
    "NSCompositeAttributeDescription": ["NSAttributeDescription", "NSPropertyDescription"],
    "NSRelationshipDescription": ["NSPropertyDescription"],
    "NSKeyPathExpression": ["NSFunctionExpression", "NSExpression"], "NSFunctionExpression": ["NSExpression"],
    "NSConstantValueExpression": ["NSExpression"], "NSSelfExpression": ["NSExpression"],
    "NSKeyPathSpecifierExpression": ["NSExpression"], "NSSubqueryExpression": ["NSExpression"],
    "NSAggregateExpression": ["NSExpression"], "NSTernaryExpression": ["NSExpression"],
    "NSVariableExpression": ["NSExpression"], "NSComparisonPredicate": ["NSPredicate"],
    "NSCompoundPredicate": ["NSPredicate"], "NSTruePredicate": ["NSPredicate"], "NSFalsePredicate": ["NSPredicate"],
  ]

  /// Writes a list whose references and offsets have four bytes.
  private struct Writer {
    private var objects: [[UInt8]] = []

    private mutating func add(_ bytes: [UInt8]) -> Int {
      objects.append(bytes)
      return objects.count - 1
    }

    private func number(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> ((size - 1 - $0) * 8)) }
    }

    private func head(_ kind: UInt8, _ count: Int) -> [UInt8] { [kind << 4 | 0xF, 0x12] + number(count, 4) }

    mutating func text(_ text: String) -> Int {
      let units = Array(text.utf16)
      return add(head(0x6, units.count) + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })
    }

    mutating func uid(_ index: Int) -> Int { add([0x83] + number(index, 4)) }

    mutating func array(_ elements: [Int]) -> Int {
      add(head(0xA, elements.count) + elements.flatMap { number($0, 4) })
    }

    mutating func dictionary(_ entries: [(Int, Int)]) -> Int {
      add(head(0xD, entries.count) + entries.flatMap { number($0.0, 4) } + entries.flatMap { number($0.1, 4) })
    }

    mutating func field(_ field: Field) -> Int {
      switch field {
      case .null: return uid(0)
      case .bool(let flag): return add([flag ? 9 : 8])
      case .int(let value): return add([0x13] + number(value, 8))
      case .real(let value): return add([0x23] + number(Int(bitPattern: UInt(value.bitPattern)), 8))
      case .text(let text): return self.text(text)
      case .data(let bytes): return add(head(0x4, bytes.count) + bytes)
      case .object(let reference): return uid(reference.index)
      case .array(let references):
        let elements = references.map { uid($0.index) }
        return array(elements)
      }
    }

    func bytes(root: Int) -> [UInt8] {
      var bytes = Array("bplist00".utf8)
      var table: [UInt8] = []
      for object in objects {
        table += number(bytes.count, 4)
        bytes += object
      }
      let start = bytes.count
      bytes += table + [0, 0, 0, 0, 0, 0, 4, 4]
      return bytes + number(objects.count, 8) + number(root, 8) + number(start, 8)
    }
  }
}
