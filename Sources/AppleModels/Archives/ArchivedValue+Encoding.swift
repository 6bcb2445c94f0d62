public import Modeling

extension ArchivedValue {
  /// The keyed archive of a value, of NSArray, NSDictionary, NSString, NSNumber and NSNull alone.
  ///
  /// What `decode` makes of it is the same value.
  public static func encode(_ json: JSON) -> [UInt8] {
    var encoder = JSONArchive()
    return encoder.encode(json)
  }
}

/// The objects of a keyed archive as they are made of a value.
private struct JSONArchive {
  private var writer = PropertyListWriter()
  /// The archive's objects, by their numbers in the property list; the first one is the null object.
  private var objects: [Int] = []
  private var classes: [String: Int] = [:]

  mutating func encode(_ json: JSON) -> [UInt8] {
    _ = object(.string("$null"))
    let root = add(json)
    let entries: [(String, Int)] = [
      ("$version", writer.add(.integer(100_000))), ("$archiver", writer.add(.string("NSKeyedArchiver"))),
      ("$top", dictionary([("root", writer.add(.uid(root)))])), ("$objects", writer.add(.array(objects))),
    ]
    let list = dictionary(entries)
    return writer.bytes(root: list)
  }

  /// Adds a value; returns the number by which others refer to it.
  private mutating func add(_ json: JSON) -> Int {
    switch json {
    case .null: return object(named: "NSNull", [])
    case .bool(let flag): return object(.bool(flag))
    case .int(let number): return object(.integer(number))
    case .double(let number): return object(.real(number))
    case .string(let text): return object(.string(text))
    case .array(let elements): return object(named: "NSArray", [("NS.objects", list(elements.map { add($0) }))])
    case .object(let members):
      let sorted = members.sorted { $0.key < $1.key }
      let keys = sorted.map { object(.string($0.key)) }
      let values = sorted.map { add($0.value) }
      return object(named: "NSDictionary", [("NS.keys", list(keys)), ("NS.objects", list(values))])
    }
  }

  private mutating func object(_ item: PropertyListWriter.Item) -> Int {
    objects.append(writer.add(item))
    return objects.count - 1
  }

  private mutating func object(named name: String, _ fields: [(String, Int)]) -> Int {
    let fields = fields + [("$class", writer.add(.uid(description(of: name))))]
    objects.append(dictionary(fields))
    return objects.count - 1
  }

  private mutating func description(of name: String) -> Int {
    if let known = classes[name] { return known }
    let names = [name, "NSObject"].map { writer.add(.string($0)) }
    objects.append(
      dictionary([("$classname", writer.add(.string(name))), ("$classes", writer.add(.array(names)))]))
    classes[name] = objects.count - 1
    return objects.count - 1
  }

  private mutating func list(_ numbers: [Int]) -> Int {
    writer.add(.array(numbers.map { writer.add(.uid($0)) }))
  }

  private mutating func dictionary(_ fields: [(String, Int)]) -> Int {
    writer.add(.dictionary(fields.map { (writer.add(.string($0.0)), $0.1) }))
  }
}
