internal import LiveQueries
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Reactive

/// The tracked objects of a context, each with the source that reports its changes.
///
/// An object keeps its slot while it is tracked, because its Lua value is retained.
final class ObjectSources {
  private struct Entry {
    let source = ObservationSource()
    let kept: LuaReference
  }

  /// Keeps the Lua value of an object; nil if it has none any more.
  private let keep: (ManagedObject) -> LuaReference?
  /// Begins the observation of the context's changes.
  private let observe: (@escaping (ObjectChanges) -> Void) -> Reactive.ObservationToken
  private var entries: [ManagedObject: Entry] = [:]
  private var sweepCount = 64
  /// The observation of the context's changes, present while any object is tracked.
  private var observation: Reactive.ObservationToken?

  init(
    keep: @escaping (ManagedObject) -> LuaReference?,
    observe: @escaping (@escaping (ObjectChanges) -> Void) -> Reactive.ObservationToken
  ) {
    self.keep = keep
    self.observe = observe
  }

  /// Whether no object is tracked.
  var isEmpty: Bool { entries.isEmpty }

  /// The objects that are tracked, or were recently.
  var objects: some Collection<ManagedObject> { entries.keys }

  /// Records a read of an object.
  func access(_ object: ManagedObject) {
    guard ObservationSource.isTracking, let entry = entries[object] ?? newEntry(object) else { return }
    entry.source.access()
  }

  /// Reports a change of these objects.
  func didChange(_ objects: some Sequence<ManagedObject>) {
    if entries.isEmpty { return }
    for object in objects {
      guard let entry = entries[object] else { continue }
      entry.source.didChange()
      if !entry.source.isObserved { entries[object] = nil }
    }
  }

  /// Reports that any object may have changed.
  func didChangeAll() { didChange(Array(entries.keys)) }

  /// Releases all objects and sources; no more changes are reported.
  func forgetAll() {
    entries = [:]
    endObservation()
  }

  /// Releases the objects that are no longer tracked.
  func forgetUnobserved() {
    guard !entries.isEmpty else { return }
    entries = entries.filter { $0.value.source.isObserved }
    if entries.isEmpty { endObservation() }
  }

  private func follow(_ changes: ObjectChanges) {
    if changes.isComplete {
      didChange(changes.changes.map(\.object))
      let roots = Set(changes.changes.map(\.object.entity.root))
      // An inserted, deleted or moved object may be a member of a list that was read.
      didChange(entries.keys.filter { $0.entity.leads(toAnyOf: roots) })
    } else {
      didChangeAll()
    }
    if entries.isEmpty { endObservation() }
  }

  private func endObservation() {
    observation?.cancel()
    observation = nil
  }

  private func newEntry(_ object: ManagedObject) -> Entry? {
    if entries.count >= sweepCount {
      entries = entries.filter { $0.value.source.isObserved }
      sweepCount = max(64, entries.count * 2)
    }
    guard let kept = keep(object) else { return nil }
    let entry = Entry(kept: kept)
    entries[object] = entry
    if observation == nil { observation = observe { [weak self] in self?.follow($0) } }
    return entry
  }
}

extension Entity {
  /// Whether a relationship leads to objects of one of these root entities.
  fileprivate func leads(toAnyOf roots: Set<Entity>) -> Bool {
    properties.indices.contains { properties[$0].relationship != nil && roots.contains(destination(at: $0).root) }
  }
}
