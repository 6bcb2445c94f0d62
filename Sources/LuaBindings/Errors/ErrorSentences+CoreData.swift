internal import Modeling
public import Stores

extension CoreDataObstacle {
  /// Whether it prevents all writes rather than a single one.
  var isOfStore: Bool {
    switch self {
    case .cloudKit, .unknownFramework, .noModel, .otherModel, .otherColumns, .ambiguousColumns, .unknownFunction,
      .notCompiled, .untraceable:
      true
    case .missingProperties, .derivedAttribute, .transformer, .unknownChanges, .uncountedKeys, .noMoreKeys: false
    }
  }

  var sentence: String {
    switch self {
    case .cloudKit: "it is mirrored to CloudKit, whose bookkeeping only its app can keep"
    case .unknownFramework(nil, _): "it does not say which version of Core Data wrote it"
    case .unknownFramework(let version?, let novelty):
      "it was written by version \(version) of Core Data, and \(novelty?.sentence ?? "that is not known here")"
    case .noModel: "its model was derived from the tables, which lack parts of it; give one with model = (--model)"
    case .otherModel(let missing, let unknown): Self.otherModel(missing, unknown)
    case .otherColumns(let names):
      "the model given is not the one that the store was written with: they differ in \(Self.some(names))"
    case .ambiguousColumns(let columns, let properties):
      "the store keeps no model that tells which column of \(Self.some(columns)) belongs to which of"
        + " \(Self.some(properties)), and written by the wrong one they would be exchanged"
    case .unknownFunction(let name, let trigger): "its trigger \(trigger) calls \(name), which only Core Data has"
    case .notCompiled(let table, let reason): "rows of \(table) cannot be written here: \(reason)"
    case .untraceable(let table, let trigger):
      "\(trigger.map { "its trigger \($0)" } ?? "a trigger") writes \(table), whose rows cannot be told apart"
    case .missingProperties(let entity, let properties):
      "the file has no columns for \(ErrorReport.list(properties)) of \(entity)"
    case .derivedAttribute(let entity, let attribute):
      "\(entity).\(attribute) is derived, and no trigger of the file updates it"
    case .transformer(let entity, let attribute):
      "only its app can run the transformer of \(entity).\(attribute); a value of Data is written unchanged"
    case .unknownChanges: "the transaction changes tables, or values too large to be tracked; it was rolled back"
    case .uncountedKeys(let entity): "Z_PRIMARYKEY has no row for \(entity)"
    case .noMoreKeys(let name): "Z_PRIMARYKEY has no key left for \(name): the largest one is used"
    }
  }

  /// The first of many names.
  private static func some(_ names: [String]) -> String {
    let more = names.count > 5 ? ["\(Quantity.grouped(names.count - 5)) more"] : []
    return ErrorReport.list(Array(names.prefix(5)) + more)
  }

  private static func otherModel(_ missing: [String], _ unknown: [String]) -> String {
    let parts = [
      missing.isEmpty ? nil : "lacks \(ErrorReport.list(missing))",
      unknown.isEmpty ? nil : "has \(ErrorReport.list(unknown)), which the store does not",
    ]
    return "the model \(parts.compactMap(\.self).joined(separator: " and "))"
  }
}

extension CoreDataNovelty {
  /// The unknown parts, as the end of a sentence about the version that made them.
  fileprivate var sentence: String {
    switch self {
    case .table(let name): "its table \(name) is not known here"
    case .column(let name): "its column \(name) is not known here"
    case .hashes(nil): "the hashes of its entities are of a form that is not known here"
    case .hashes(let version?): "the hashes of its entities are of a form that is not known here, version \(version)"
    }
  }
}

extension ObjectURIError {
  /// The error in the URL, as the rest of a sentence that begins with the URL.
  var sentence: String {
    switch self {
    case .notCoreData: "is of a Core Data store, which this is not"
    case .malformed: "names no object: expected x-coredata://UUID/Entity/pNUMBER"
    case .ofOtherStore(let uuid, let own): "is of another store: its UUID is \(uuid), that of this store \(own)"
    case .unknownEntity(let name, let nearest):
      "names the entity '\(name)', which the model does not have\(ErrorReport.hint(nearest))"
    case .neverSaved: "is of an object that was never saved"
    }
  }
}

extension StoreProblem {
  /// The table and the column, property or file concerned, or the file.
  public var place: String { [table, subject ?? ""].filter { !$0.isEmpty }.joined(separator: ".") }

  /// The problem as a sentence: the place, the rule, the expected and the found value.
  var sentence: String {
    let head = place + (key.map { " of row \($0)" } ?? "")
    let facts = [expected.map { "expected \($0)" }, found.map { "found \($0)" }].compactMap(\.self)
    let text = [rule.sentence, facts.joined(separator: ", ")].filter { !$0.isEmpty }.joined(separator: "; ")
    return (head.isEmpty ? "" : "\(head): ") + text
  }
}

extension StoreProblem.Rule {
  /// The sentence for a violation of the rule.
  public var sentence: String {
    switch self {
    case .integrity: "the file is damaged"
    case .foreignKey: "the reference leads to no row"
    case .order: "the place in the list is missing or taken twice"
    case .highestKey: "a key is above the highest one counted"
    case .entityNumber: "the entity's number differs from the model's"
    case .modelHash: "the model and the store have different entities"
    case .entity: "the entity does not belong to the table"
    case .version: "the row has no version"
    case .destination: "the relationship leads to no object of its destination"
    case .destinationEntity: "the entity stored with the relationship is wrong"
    case .type: "the stored value does not fit the attribute"
    case .inverse: "the relationship and its inverse disagree"
    case .pair: "an end of the pair is no object of its entity"
    case .mandatory: "a mandatory value is missing"
    case .unique: "values that must be unique are equal"
    case .count: "the count is wrong"
    case .externalData: "the file with data and the row that names it do not match"
    case .history: "the change belongs to a missing transaction or entity"
    }
  }
}
