internal import Modeling

/// An archive of NSKeyedArchiver: a graph of objects with classes, kept as the table it is.
///
/// Readers follow the references themselves; `ArchiveReference` is the index of an object in `$objects`.
struct KeyedArchive {
  /// What reading may still cost.
  let effort: ArchiveEffort
  private let list: BinaryPropertyList
  /// The index in the list of each object of the archive.
  private let slots: [Int]
  /// What the archive was made of, by its key, which is nearly always `root`.
  let top: [String: ArchiveReference]

  /// Reads an archive; nil if the property list is not an archive.
  init?(_ list: BinaryPropertyList) {
    guard let fields = list.fields(of: list.objects[list.root]),
      case .string(let archiver)? = fields["$archiver"], archiver.hasSuffix("KeyedArchiver"),
      case .array(let slots)? = fields["$objects"], case .dictionary(let top)? = fields["$top"]
    else { return nil }
    self.list = list
    self.slots = slots
    effort = ArchiveEffort(objects: slots.count)
    var references: [String: ArchiveReference] = [:]
    for entry in top {
      guard case .string(let key) = list.objects[entry.key], case .uid(let uid) = list.objects[entry.value] else {
        continue
      }
      references[key] = ArchiveReference(uid)
    }
    self.top = references
  }

  /// What the archive is: the object called `root`, or the only one.
  var root: ArchiveReference? { top["root"] ?? (top.count == 1 ? top.values.first : nil) }

  /// What a reference leads to; `.null` for one that leads nowhere.
  func content(at reference: ArchiveReference) -> ArchivedContent {
    guard slots.indices.contains(reference.index), reference.index > 0 else { return .null }
    return content(of: list.objects[slots[reference.index]])
  }

  private func content(of object: BinaryPropertyList.Object) -> ArchivedContent {
    switch object {
    case .null: .null
    case .bool(let flag): .value(.bool(flag))
    case .int(let number): .value(.int(number))
    case .largeInt(let digits): .value(.string(digits))
    case .real(let number): .value(.double(number))
    case .date(let seconds): .value(.date(Timestamp(seconds + ArchivedObject.referenceDate)))
    case .data(let bytes): .value(.data(bytes))
    case .string(let text): text == "$null" ? .null : .value(.string(text))
    case .uid(let uid): .reference(ArchiveReference(uid))
    case .array(let elements), .set(let elements):
      effort.spend(elements.count) ? .list(elements.map { content(plain: $0) }) : .null
    case .dictionary(let entries):
      effort.spend(entries.count) ? .object(ArchivedObject(fields: fields(entries), in: self)) : .null
    }
  }

  /// A field's content without following it: a list in a list is not looked into.
  private func content(plain index: Int) -> ArchivedContent {
    switch list.objects[index] {
    case .array, .set, .dictionary: .null
    case let object: content(of: object)
    }
  }

  private func fields(_ entries: [BinaryPropertyList.Entry]) -> [String: Int] {
    var fields: [String: Int] = [:]
    for entry in entries {
      if case .string(let key) = list.objects[entry.key] { fields[key] = entry.value }
    }
    return fields
  }

  /// The content of a field of an object, which is the value itself, a reference, or a list of them.
  func field(_ index: Int) -> ArchivedContent { content(of: list.objects[index]) }
}

/// How much may still be read of an archive, whose objects can be parts of one another any number of times.
final class ArchiveEffort {
  private var left: Int

  /// Whether all of it was spent, so that something was not read.
  private(set) var isExhausted = false

  /// What an archive of so many objects may cost: many times what an honest one does, and less than a second.
  init(objects: Int) { left = 100_000 + min(objects, 8000) * 1000 }

  /// Whether so many fields or elements may be read.
  func spend(_ count: Int) -> Bool {
    guard !isExhausted, count < left else {
      isExhausted = true
      return false
    }
    left -= count + 1
    return true
  }
}

/// The number of an object in an archive.
struct ArchiveReference: Hashable, Sendable {
  let index: Int

  init(_ index: Int) { self.index = index }
}

/// What stands in an archive.
enum ArchivedContent {
  case null
  /// A text, a number, bytes or a date, which are archived as they are.
  case value(Value)
  case reference(ArchiveReference)
  case list([ArchivedContent])
  case object(ArchivedObject)
}
