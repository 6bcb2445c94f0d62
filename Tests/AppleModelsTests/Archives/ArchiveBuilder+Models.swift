import TestSupport

// Models, predicates and expressions as their archives have them.
extension ArchiveBuilder {
  /// An archived model of one entity, `Item`, with the given properties, and the request template `some`.
  func model(properties: [(String, Reference)] = [], predicate: Reference? = nil, flags: Int = 30) -> [UInt8] {
    var entity: [String: Field] = [
      "NSEntityName": .object(string("Item")), "NSProperties": .object(dictionary(properties)),
      "NSClassNameForEntity": .object(string("Item")), "NSRenamingIdentifier": .object(string("Item")),
    ]
    entity["NSUserInfo"] = .object(dictionary([("author", string("Ann"))]))
    let item = object("NSEntityDescription", entity)
    var model: [String: Field] = ["NSEntities": .object(dictionary([("Item", item)]))]
    if let predicate {
      let request = object(
        "NSFetchRequest",
        [
          "NSEntity": .object(item), "NSPredicate": .object(predicate), "NSFetchLimit": .int(5),
          "NSHasFetchRequestFlags": .bool(true), "NSFetchRequestFlags": .int(flags), "NSBatchSize": .int(20),
        ])
      model["NSFetchRequestTemplates"] = .object(dictionary([("some", request)]))
    }
    return archive(root: object("NSManagedObjectModel", model))
  }

  func attribute(_ name: String, _ type: Int, _ fields: [String: Field] = [:]) -> (String, Reference) {
    let common: [String: Field] = ["NSPropertyName": .object(string(name)), "NSAttributeType": .int(type)]
    let className = fields["NSDerivationExpression"] == nil ? "NSAttributeDescription" : "NSDerivedAttributeDescription"
    return (name, object(className, common.merging(fields) { $1 }))
  }

  // MARK: Expressions

  var itself: Reference { object("NSSelfExpression", ["NSExpressionType": .int(1)]) }

  func constant(_ field: Field) -> Reference {
    let value = if case .null = field { Field.null } else { Field.object(plain(field)) }
    return object("NSConstantValueExpression", ["NSExpressionType": .int(0), "NSConstantValue": value])
  }

  func constant(text: String) -> Reference {
    object("NSConstantValueExpression", ["NSExpressionType": .int(0), "NSConstantValue": .object(string(text))])
  }

  func variable(_ name: String) -> Reference {
    object("NSVariableExpression", ["NSExpressionType": .int(2), "NSVariable": .object(string(name))])
  }

  func path(_ keys: String, of operand: Reference? = nil) -> Reference {
    let keys = object(
      "NSKeyPathSpecifierExpression", ["NSExpressionType": .int(10), "NSKeyPath": .object(string(keys))])
    return object(
      "NSKeyPathExpression",
      [
        "NSExpressionType": .int(operand == nil ? 3 : 4), "NSOperand": .object(operand ?? itself),
        "NSSelectorName": .object(string("valueForKeyPath:")), "NSArguments": .object(list([keys])),
      ])
  }

  func call(_ selector: String, _ arguments: [Reference]) -> Reference {
    let library = object(
      "NSConstantValueExpression",
      ["NSExpressionType": .int(0), "NSConstantValueClassName": .object(string("_NSPredicateUtilities"))])
    return object(
      "NSFunctionExpression",
      [
        "NSExpressionType": .int(4), "NSOperand": .object(library), "NSSelectorName": .object(string(selector)),
        "NSArguments": .object(list(arguments)),
      ])
  }

  func aggregate(_ elements: [Reference]) -> Reference {
    object("NSAggregateExpression", ["NSExpressionType": .int(14), "NSCollection": .object(list(elements))])
  }

  func subquery(_ collection: Reference, _ name: String, _ predicate: Reference) -> Reference {
    object(
      "NSSubqueryExpression",
      [
        "NSExpressionType": .int(13), "NSCollection": .object(collection), "NSVariable": .object(string(name)),
        "NSPredicate": .object(predicate),
      ])
  }

  // MARK: Predicates

  func comparison(
    _ left: Reference, _ type: Int, _ right: Reference, options: Int = 0, modifier: Int = 0
  ) -> Reference {
    let sign = object(
      "NSPredicateOperator",
      ["NSOperatorType": .int(type), "NSModifier": .int(modifier), "NSOptions": .int(options)])
    return object(
      "NSComparisonPredicate",
      ["NSLeftExpression": .object(left), "NSRightExpression": .object(right), "NSPredicateOperator": .object(sign)])
  }

  func compound(_ type: Int, _ terms: [Reference]) -> Reference {
    object(
      "NSCompoundPredicate",
      ["NSCompoundPredicateType": .int(type), "NSSubpredicates": .object(list(terms))])
  }
}
