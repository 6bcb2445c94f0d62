internal import LuaRuntime
package import Modeling

/// The difference of two models as text.
package struct ModelDifferenceText {
  let difference: ModelDifference

  /// One line for each change.
  var changes: [String] {
    difference.changes.map { change in
      switch change {
      case .addedEntity(let name): "+ \(name)"
      case .removedEntity(let name): "- \(name)"
      case .renamedEntity(let old, let new): "~ \(old) is now \(new)"
      case .changedEntity(let name, let facts): "~ \(name): \(words(facts))"
      case .addedProperty(let entity, let name): "+ \(entity).\(name)"
      case .removedProperty(let entity, let name): "- \(entity).\(name)"
      case .renamedProperty(let entity, let old, let new): "~ \(entity).\(old) is now \(new)"
      case .changedProperty(let entity, let name, let facts): "~ \(entity).\(name): \(words(facts))"
      case .addedTemplate(let name): "+ template \(name)"
      case .removedTemplate(let name): "- template \(name)"
      case .changedTemplate(let name, let facts): "~ template \(name): \(words(facts))"
      case .changedModel(let facts): "~ the model: \(words(facts))"
      }
    }
  }

  /// One line for each reason why Core Data cannot infer a mapping.
  var obstacles: [String] {
    difference.obstacles.map { obstacle in
      switch obstacle {
      case .convertedAttribute(let entity, let name, let old, let new):
        "\(entity).\(name) is \(new.rawValue) and was \(old.rawValue): values are never converted"
      case .missingDefault(let entity, let name):
        "\(entity).\(name) must have a value and has no default, which objects that are there need"
      case .missingDestination(let entity, let name):
        "\(entity).\(name) must lead somewhere, and for objects that are there nothing says where"
      case .otherDestination(let entity, let name, let old, let new):
        "\(entity).\(name) leads to \(new) and led to \(old)"
      case .mergedHierarchies(let first, let second):
        "\(first) and \(second) have an ancestor in common now and had none"
      }
    }
  }

  private func words(_ facts: [ModelDifference.Fact]) -> String {
    facts.map { fact in
      switch (fact.old, fact.new) {
      case (let old?, let new?): "\(fact.name) \(old.text) → \(new.text)"
      case (nil, let new?): "\(fact.name) → \(new.text)"
      case (let old?, nil): "\(fact.name) \(old.text) → nothing"
      case (nil, nil): fact.name
      }
    }.joined(separator: ", ")
  }
}

extension BoundModel {
  /// `old:difference(new)`
  func difference(_ call: Call) throws -> ReturnValue {
    guard let other = call.engine.classes.object(BoundModel.self, at: call.index(1), on: call.stack) else {
      throw call.expected("a Model", 1)
    }
    let text = ModelDifferenceText(difference: ModelDifference(from: model, to: other.model))
    return .record([
      ("changes", .texts(text.changes)), ("obstacles", .texts(text.obstacles)),
      ("isInferable", .boolean(text.difference.isInferable)),
    ])
  }
}

extension ModelDifferenceText {
  /// One line for each change of a difference.
  package static func changes(of difference: ModelDifference) -> [String] { Self(difference: difference).changes }
}
