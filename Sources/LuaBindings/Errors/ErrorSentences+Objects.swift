internal import Modeling
internal import ObjectGraph

extension ErrorReport {
  static func report(_ error: GraphError) -> ErrorReport {
    switch error.fact {
    case .unknownProperty(let name, let entity, let nearest):
      return ErrorReport("property", "\(entity) has no property '\(name)'\(hint(nearest))")
    case .wrongValue(let error, let entity, let property):
      return ErrorReport("value", "\(entity).\(error.property.isEmpty ? property : error.property): \(error.mistake)")
    case .notWritable(let property, let entity, let reason):
      return ErrorReport("property", "\(entity).\(property) cannot be set: \(reason)")
    case .wrongEntity(let property, let entity, let expected, let found):
      return ErrorReport("value", "\(entity).\(property): expected \(article(expected)), got \(article(found))")
    case .otherContext(let entity, let property):
      return ErrorReport("value", "\(entity).\(property): the object belongs to another context")
    case .readOnlyEntity(let name):
      return ErrorReport(
        "readOnly", "\(name) cannot be written: it has no key, is a view, or you may not write it", exitStatus: 77)
    case .abstractEntity(let name): return ErrorReport("object", "\(name) is abstract: make an object of a subentity")
    case .tooManyValues(let expression, let most):
      return ErrorReport("request", "\(expression) has more than \(Quantity.grouped(most)) different values")
    case .deletedObject(let name): return ErrorReport("deleted", "\(name) was deleted")
    case .missingInParent(let name):
      return ErrorReport("missingRow", "\(name) is no longer in the parent context, where it was undone")
    case .missingRow(let entity, let key, let origin):
      let lead = origin.map { "\($0) leads to" } ?? "there is no"
      return ErrorReport(
        "missingRow", "\(lead) \(entity) \(key)\(origin == nil ? " in the store" : ", which is not in the store")")
    case .invalid(let violations): return report(violations)
    case .saving: return ErrorReport("saving", "the context is being saved")
    case .validating(let entity):
      return ErrorReport("saving", "\(entity) cannot be changed by its own validation; change it in willSave")
    case .endlessWillSave(let entity, let calls):
      return ErrorReport(
        "saving",
        "willSave keeps changing \(article(entity)) after \(calls) calls; set a value only where it differs")
    case .endlessDidSave(let rounds):
      return ErrorReport("saving", "didSave has saved again \(rounds) times in a row")
    case .conflicts(let conflicts): return report(conflicts)
    case .keyNeeded(let entity, let expected):
      return ErrorReport("argument", "\(entity) is found by \(list(expected))")
    case .pendingChanges(let entity, let count):
      let what = "\(Self.count(count, "object")) of \(entity) with unsaved changes"
      return ErrorReport("pendingChanges", "the batch request touches \(what); save or roll back first")
    case .pendingChangesToSave(let entity, let count):
      let what = "\(Self.count(count, "object")) of \(entity) with unsaved changes"
      return ErrorReport("pendingChanges", "the save wrote \(what); save or roll back first")
    case .inRow(let row, let error):
      var report = ErrorReport(error)
      report.message = "row \(row): \(report.message)"
      return report
    case .undoTooLarge: return ErrorReport("undo", "the last changes were too many to be kept for an undo")
    case .forgottenDeletion(let object):
      return ErrorReport(
        "undo", "\(object) cannot come back alone: undo has no step of its deletion; redo or rollback may bring it back"
      )
    case .relatedDeletion(let object, let other):
      return ErrorReport("undo", "\(other) is related to \(object) and is deleted, too; discard that deletion first")
    case .objectOfOtherStore(let entity, let relationship):
      return ErrorReport("unsupported", "\(entity).\(relationship) leads to an object of another store")
    case .unsavedObject(let entity, let relationship):
      return ErrorReport("unsupported", "\(entity).\(relationship) leads to an object that is not saved")
    case .otherModel(let entity): return ErrorReport("unsupported", "\(entity) is not of the store's model")
    }
  }

  private static func report(_ violations: [ObjectViolation]) -> ErrorReport {
    let details = violations.map { violation in
      Detail(
        "\(violation.label): \(violation.violation.sentence)",
        fields: [
          ("object", violation.object.description), ("entity", violation.violation.entity),
          ("property", violation.violation.property), ("rule", "\(violation.violation.kind)"),
          ("value", violation.violation.value.shortText),
        ] + fields(of: violation.violation.hold))
    }
    guard details.count > 1 else {
      return ErrorReport("validation", details.first?.message ?? "invalid", details: details)
    }
    let lines = ["\(Quantity.grouped(details.count)) values are not valid:"] + details.map { "  \($0.message)" }
    return ErrorReport("validation", lines.joined(separator: "\n"), details: details)
  }

  private static func fields(of hold: Violation.Hold?) -> [(name: String, value: String)] {
    guard let hold else { return [] }
    return [
      ("holder", hold.entity), ("holderProperty", hold.property), ("holders", hold.names.joined(separator: ", ")),
    ]
  }
}
