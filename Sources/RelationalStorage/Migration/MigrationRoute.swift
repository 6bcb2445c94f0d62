package import Layouts
package import Modeling
package import Stores

/// The path from a store's model to the wanted one, stage by stage.
package struct MigrationRoute {
  /// One migration from one model to another.
  package struct Leg {
    package var old: ModelLayout
    package var new: ModelLayout
    package var migrate: ((Migration) throws -> Void)?
    /// Whether someone has said that the migration may lose what the new model has no place for.
    package var permitsLosses = false
  }

  /// The legs; at least one.
  package private(set) var legs: [Leg]

  /// Finds the path; without stages it has one inferred leg.
  ///
  /// - Throws: StoreError for a store that is newer than `wanted` or that the stages do not know, DerivationError.
  package init(from stored: Model, to wanted: Model, _ options: StoreOptions) throws {
    guard !options.stages.isEmpty else {
      try Self.checkAge(of: stored, wanted, options.path)
      legs = [
        Leg(
          old: try ModelLayout(stored), new: try ModelLayout(wanted), migrate: options.migrate,
          permitsLosses: options.permitsLosses || options.migrate != nil)
      ]
      return
    }
    let versions = try Self.versions(options)
    guard let end = versions.lastIndex(where: { $0.isSame(as: wanted) }) else {
      throw StoreError(
        .stagesEndElsewhere(last: versions[versions.count - 1].title, wanted: wanted.title), path: options.path)
    }
    let start =
      versions.firstIndex { $0.encoded() == stored.encoded() } ?? versions.firstIndex { $0.isSame(as: stored) }
      ?? versions.firstIndex { $0.fingerprint == stored.fingerprint }
    guard let start else { throw Self.unknown(stored, versions, options.path) }
    guard start <= end else { throw Self.newer(stored, wanted, options.path) }
    legs = []
    var old = try ModelLayout(stored)
    for index in start..<end {
      let stage = options.stages[index]
      let new = try ModelLayout(index + 1 == end ? wanted : stage.to)
      legs.append(
        Leg(
          old: old, new: new, migrate: stage.migrate,
          permitsLosses: options.permitsLosses || stage.permitsLosses || stage.migrate != nil))
      old = new
    }
    if legs.isEmpty {
      legs = [Leg(old: old, new: try ModelLayout(wanted), permitsLosses: options.permitsLosses)]
    }
  }

  /// Whether the tables stay as they are and no function is called.
  package var isEmpty: Bool { concernsModelAlone(\.isEmpty) }

  /// Whether the tables stay as they are, although fetched properties and templates of the model may change.
  package var keepsTables: Bool { concernsModelAlone { $0.allSatisfy(\.isOfModelAlone) } }

  private func concernsModelAlone(_ isNothing: ([MigrationStep]) -> Bool) -> Bool {
    legs.allSatisfy { leg in
      let plan = MigrationPlan(from: leg.old.model, to: leg.new.model)
      return isNothing(plan.steps) && plan.obstacles.isEmpty && leg.migrate == nil && leg.old.schema == leg.new.schema
    }
  }

  /// The model at the end.
  package var layout: ModelLayout { legs[legs.count - 1].new }

  /// The models that the stages connect, in order.
  private static func versions(_ options: StoreOptions) throws(StoreError) -> [Model] {
    var versions = [options.stages[0].from]
    for (index, stage) in options.stages.enumerated() {
      guard stage.from.isSame(as: versions[index]) else {
        throw StoreError(
          .stagesApart(stage: index + 1, begins: stage.from.title, previous: versions[index].title), path: options.path)
      }
      versions.append(stage.to)
    }
    return versions
  }

  /// Throws if the store's model has a later version than the given one.
  static func checkAge(of stored: Model, _ wanted: Model, _ path: String) throws(StoreError) {
    guard let version = stored.version, stored.fingerprint != wanted.fingerprint else { return }
    if wanted.version.map({ version.isNewer(than: $0) }) ?? true { throw newer(stored, wanted, path) }
  }

  private static func newer(_ stored: Model, _ wanted: Model, _ path: String) -> StoreError {
    let plan = MigrationPlan(from: stored, to: wanted)
    let extra = plan.steps.compactMap { step -> String? in
      switch step {
      case .removeEntity(let name): name
      case .removeProperty(let entity, let name): "\(entity).\(name)"
      default: nil
      }
    }
    return StoreError(.newerModel(stored: stored.title, wanted: wanted.title, extra: extra), path: path)
  }

  private static func unknown(_ stored: Model, _ versions: [Model], _ path: String) -> StoreError {
    let plans = versions.map { MigrationPlan(from: $0, to: stored) }
    let nearest = plans.indices.min { plans[$0].steps.count < plans[$1].steps.count } ?? plans.startIndex
    return StoreError(
      .unknownModel(
        stored: stored.title, known: versions.map(\.title), nearest: versions[nearest].title,
        differences: plans[nearest].steps.map(\.description) + plans[nearest].obstacles), path: path)
  }
}

extension Model {
  /// Whether stores of both models are alike, and their authors give them the same version.
  fileprivate func isSame(as other: Model) -> Bool {
    self === other || (fingerprint == other.fingerprint && version == other.version)
  }

  /// The model's name in messages.
  fileprivate var title: String { version.map { "version \($0.text)" } ?? "a model without a version" }
}
