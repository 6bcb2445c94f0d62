internal import Modeling

/// The steps a context can take back, and those it can take again.
///
/// Steps are recorded one by one as the graph changes and taken back in groups: a line at the prompt, a transaction, or
/// what stands between `beginGroup` and `endGroup`. Bounded in groups and in steps; the oldest go first.
final class UndoManager {
  /// How many groups are kept; 0 records nothing.
  var levels = 100 { didSet { trim() } }
  /// The most steps that are kept, about 100 bytes each.
  var mostSteps = 1_000_000

  private var state = State()
  /// While above 0 nothing is recorded.
  private var suspensions = 0

  /// Everything but the settings, so that it can be put back whole.
  struct State {
    private(set) var undo: [UndoGroup] = []
    /// How many steps all of `undo` has.
    private(set) var undoSteps = 0
    var redo: [UndoGroup] = []
    var open: [UndoGroup.Entry] = []
    /// How many groups with a beginning and an end of their own are open.
    var depth = 0
    /// Which group is open; objects made in it are remembered by it.
    var serial = 1
    /// How many saves the context has made.
    var epoch = 0
    /// The last group that had more steps than are kept; nil once something else was recorded.
    var overflowed: Int?

    mutating func append(_ group: UndoGroup) {
      undo.append(group)
      undoSteps += group.entries.count
    }

    mutating func popUndo() -> UndoGroup? {
      guard let last = undo.popLast() else { return nil }
      undoSteps -= last.entries.count
      return last
    }

    mutating func removeOldest(_ count: Int) {
      for group in undo.prefix(count) { undoSteps -= group.entries.count }
      undo.removeFirst(count)
    }
  }

  var isRecording: Bool { suspensions == 0 && levels > 0 }
  var serial: Int { state.serial }
  var epoch: Int { state.epoch }
  var canUndo: Bool { !state.undo.isEmpty || !state.open.isEmpty }
  var canRedo: Bool { !state.redo.isEmpty && state.open.isEmpty }
  /// Whether the last group was too large to be kept.
  var hasOverflowed: Bool { state.overflowed != nil }
  var isEmpty: Bool { state.undo.isEmpty && state.redo.isEmpty && state.open.isEmpty }

  // MARK: Recording

  /// Notes a step that was just taken.
  func record(_ table: ObjectTable, _ step: UndoStep) {
    if !state.redo.isEmpty { forgetRedo() }
    guard state.overflowed != state.serial else { return }
    state.overflowed = nil
    if let last = state.open.indices.last, state.open[last].table === table, merge(step, at: last) { return }
    state.open.append(UndoGroup.Entry(table: table, step: step))
    if state.open.count > mostSteps { overflow() }
  }

  /// Gives the open group up, and what came before it, because it has too many steps.
  private func overflow() {
    forgetUndo(state.undo.count)
    release(UndoGroup(entries: state.open, epoch: state.epoch), isUndone: false)
    state.open = []
    state.overflowed = state.serial
  }

  /// Makes the step part of the one before it where the two are one.
  private func merge(_ step: UndoStep, at index: Int) -> Bool {
    switch (state.open[index].step, step) {
    case (.insert(let first, let count), .insert(let next, 1)) where next == first + count:
      state.open[index].step = .insert(first: first, count: count + 1)
    case (.column(let slot, let column, let old, _), .column(let next, let other, _, let new))
    where slot == next && column == other:
      state.open[index].step = .column(slot, column: column, old: old, new: new)
    default: return false
    }
    return true
  }

  /// Runs `body` without recording.
  func suspended<Result>(_ body: () throws -> Result) rethrows -> Result {
    suspensions += 1
    defer { suspensions -= 1 }
    return try body()
  }

  // MARK: Groups

  /// Ends the group of what was done since the last one, unless one with an end of its own is open.
  func closeGroup() {
    guard state.depth == 0 else { return }
    state.serial += 1
    guard !state.open.isEmpty else { return }
    state.append(UndoGroup(entries: state.open, epoch: state.epoch))
    state.open = []
    trim()
  }

  /// Begins a group that lasts until `endGroup`; within another one it is part of that.
  func beginGroup() {
    closeGroup()
    state.depth += 1
  }

  /// Ends the innermost group; false when none is open.
  func endGroup() -> Bool {
    guard state.depth > 0 else { return false }
    state.depth -= 1
    closeGroup()
    return true
  }

  /// What a save means for the groups: the open one ends, and taking steps back is a change of its own again.
  func saved() {
    state.depth = 0
    closeGroup()
    state.epoch += 1
  }

  /// The last group, to be taken back; it is for `redo` then.
  func takeUndo() -> UndoGroup? {
    state.depth = 0
    closeGroup()
    return state.popUndo()
  }

  /// The group taken back last, to be done again.
  func takeRedo() -> UndoGroup? { state.open.isEmpty ? state.redo.popLast() : nil }

  /// Files a group that was done or taken back.
  func file(_ group: UndoGroup, isUndone: Bool) {
    if isUndone { state.redo.append(group) } else { state.append(group) }
  }

  // MARK: Putting back and forgetting

  /// Everything recorded, for `restore`.
  func snapshot() -> State {
    closeGroup()
    return state
  }

  /// Everything recorded, the open group as it is.
  func mark() -> State { state }

  /// Forgets what was recorded since the snapshot.
  func restore(_ snapshot: State) { state = snapshot }

  /// Forgets everything.
  func clear() {
    forgetUndo(state.undo.count)
    forgetRedo()
    release(UndoGroup(entries: state.open, epoch: state.epoch), isUndone: false)
    let (serial, epoch) = (state.serial + 1, state.epoch)
    state = State()
    (state.serial, state.epoch) = (serial, epoch)
  }

  private func trim() {
    var steps = state.undoSteps
    var surplus = 0
    while surplus < state.undo.count, state.undo.count - surplus > levels || steps > mostSteps {
      steps -= state.undo[surplus].entries.count
      surplus += 1
    }
    forgetUndo(surplus)
  }

  private func forgetUndo(_ count: Int) {
    for group in state.undo.prefix(count) { release(group, isUndone: false) }
    state.removeOldest(count)
  }

  private func forgetRedo() {
    for group in state.redo { release(group, isUndone: true) }
    state.redo = []
  }

  /// Lets go of objects that only the group could have brought back.
  private func release(_ group: UndoGroup, isUndone: Bool) {
    for entry in group.entries {
      switch entry.step {
      case .insert(let first, let count) where isUndone:
        for slot in first..<first + count { entry.table.graves[slot] = nil }
      case .delete(let slot) where !isUndone: entry.table.graves[slot] = nil
      default: break
      }
    }
  }

  // MARK: Looking

  /// Notes the slots that must not be given to other objects.
  func pin(into pinned: inout [ObjectIdentifier: Set<Int32>], destination: (ObjectTable, Int32, Int) -> ObjectTable) {
    for entry in state.undo.lazy.flatMap(\.entries) + state.redo.flatMap(\.entries) + state.open {
      let id = ObjectIdentifier(entry.table)
      switch entry.step {
      case .insert(let first, let count): pinned[id, default: []].formUnion(first..<first + count)
      case .delete(let slot), .column(let slot, _, _, _), .transient(let slot, _, _, _):
        pinned[id, default: []].insert(slot)
      case .reference(let slot, let property, let old, let new):
        pinned[id, default: []].insert(slot)
        let other = ObjectIdentifier(destination(entry.table, slot, property))
        pinned[other, default: []].formUnion([old, new].filter { $0 >= 0 })
      case .member(let step):
        pinned[id, default: []].insert(step.slot)
        let other = ObjectIdentifier(destination(entry.table, step.slot, step.property))
        pinned[other, default: []].insert(step.member)
      case .arrangement(let step):
        pinned[id, default: []].insert(step.slot)
        let other = ObjectIdentifier(destination(entry.table, step.slot, step.property))
        pinned[other, default: []].formUnion(step.old + step.new)
      }
    }
  }

  /// How many groups can be taken back.
  var groupCount: Int { state.undo.count }

  /// The steps of all groups, for checks.
  var allEntries: [UndoGroup.Entry] {
    state.undo.flatMap(\.entries) + state.redo.flatMap(\.entries) + state.open
  }
}
