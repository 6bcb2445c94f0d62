internal import Modeling

/// The undo and redo history of a context.
///
/// Steps are recorded as the graph changes and undone in groups: a line at the prompt, a transaction, or
/// what stands between `beginGroup` and `endGroup`. Groups and steps are limited; the oldest are dropped first.
///
/// The cycle: each change of an `ObjectTable` records a step in `open`; steps that continue the last one become part of
/// it. At the end of a turn, or of the explicit group, `open` becomes a group of `undo`. Recording drops `redo`.
/// Undoing takes the last group, applies its steps backwards while recording is suspended, and moves it to `redo`;
/// redoing is the reverse.
///
/// Only `state` changes in that cycle. A failing undo restores it as a whole. Steps name slots and not keys, because a save
/// may give an object another key; a slot is kept as long as a step names it. `epoch` counts saves: until the next one,
/// undoing everything leaves no changes; after it, undoing makes changes that the next save writes.
final class UndoManager {
  /// The maximum number of groups; 0 records nothing.
  var levels = 100 { didSet { trim() } }
  /// The maximum number of steps, at 24 to about 100 bytes each.
  var mostSteps = 1_000_000

  private var state = State()
  /// Recording is off while this is above 0.
  private var suspensions = 0

  /// The whole state except the settings, so that it can be restored at once.
  struct State {
    private(set) var undo: [UndoGroup] = []
    /// The number of steps in `undo`.
    private(set) var undoSteps = 0
    var redo: [UndoGroup] = []
    var open = UndoEntries()
    /// The number of open explicit groups.
    var depth = 0
    /// The number of the open group, by which objects inserted in it are recognised.
    var serial = 1
    /// The number of saves so far.
    var epoch = 0
    /// The last group that exceeded the step limit; nil once another step was recorded.
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
  /// Whether the last group exceeded the step limit.
  var hasOverflowed: Bool { state.overflowed != nil }
  var isEmpty: Bool { state.undo.isEmpty && state.redo.isEmpty && state.open.isEmpty }

  // MARK: Recording

  /// Records a step.
  func record(_ table: ObjectTable, _ step: UndoStep) {
    record(UndoGroup.Entry(table: table, step: step))
  }

  /// Records an entry, which may be of a reversed step.
  func record(_ entry: UndoGroup.Entry) {
    if !state.redo.isEmpty { forgetRedo() }
    guard state.overflowed != state.serial else { return }
    state.overflowed = nil
    if state.open.extendLast(by: entry) { return }
    state.open.append(entry)
    if state.open.count > mostSteps { overflow() }
  }

  /// Drops the open group and all earlier ones, because it has too many steps.
  private func overflow() {
    forgetUndo(state.undo.count)
    release(UndoGroup(entries: state.open, epoch: state.epoch), isUndone: false)
    state.open = UndoEntries()
    state.overflowed = state.serial
  }

  /// Runs `body` without recording.
  func suspended<Result>(_ body: () throws -> Result) rethrows -> Result {
    suspensions += 1
    defer { suspensions -= 1 }
    return try body()
  }

  // MARK: Groups

  /// Ends the implicit group, unless an explicit one is open.
  func closeGroup() {
    guard state.depth == 0 else { return }
    state.serial += 1
    guard !state.open.isEmpty else { return }
    state.append(UndoGroup(entries: state.open, epoch: state.epoch))
    state.open = UndoEntries()
    trim()
  }

  /// Begins a group that ends with `endGroup`. A nested group is part of the outer one.
  func beginGroup() {
    closeGroup()
    state.depth += 1
  }

  /// Ends the innermost explicit group; returns false if none is open.
  func endGroup() -> Bool {
    guard state.depth > 0 else { return false }
    state.depth -= 1
    closeGroup()
    return true
  }

  /// Follows a save: ends the open group; from now on undoing earlier steps makes unsaved changes.
  func saved() {
    state.depth = 0
    closeGroup()
    state.epoch += 1
  }

  /// Returns the last group for undoing, and moves it to `redo`.
  func takeUndo() -> UndoGroup? {
    state.depth = 0
    closeGroup()
    return state.popUndo()
  }

  /// Returns the last undone group for redoing, and moves it to `undo`.
  func takeRedo() -> UndoGroup? { state.open.isEmpty ? state.redo.popLast() : nil }

  /// Stores a group that was done or undone.
  func file(_ group: UndoGroup, isUndone: Bool) {
    if isUndone { state.redo.append(group) } else { state.append(group) }
  }

  // MARK: Restoring and forgetting

  /// A copy of the state for `restore`.
  func snapshot() -> State {
    closeGroup()
    return state
  }

  /// Returns a copy of the state, with the open group as it is.
  func mark() -> State { state }

  /// Restores a snapshot, and forgets later steps.
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

  /// Frees the states of deleted objects that only this group could have restored.
  private func release(_ group: UndoGroup, isUndone: Bool) {
    for entry in group.entries {
      switch entry.step {
      case .insert(let first, let count) where isUndone != entry.isReversed:
        for slot in first..<first + count { entry.table.deletedStates[slot] = nil }
      case .delete(let slot, _) where isUndone == entry.isReversed: entry.table.deletedStates[slot] = nil
      default: break
      }
    }
  }

  // MARK: Inspection

  /// Pins the slots that the recorded steps refer to, without changed ones, which stay by themselves.
  func pin(into pinned: inout [ObjectIdentifier: Set<Int32>], destination: (ObjectTable, Int32, Int) -> ObjectTable) {
    for entry in allEntries {
      func pin(_ slot: Int32, of table: ObjectTable) {
        if !table.isDirty(slot) { pinned[ObjectIdentifier(table), default: []].insert(slot) }
      }
      switch entry.step {
      case .insert(let first, let count): for slot in first..<first + count { pin(slot, of: entry.table) }
      case .delete(let slot, _), .column(let slot, _, _, _), .transient(let slot, _, _, _): pin(slot, of: entry.table)
      case .reference(let slot, let property, let old, let new):
        pin(slot, of: entry.table)
        let other = destination(entry.table, slot, property)
        for target in [old, new] where target >= 0 { pin(target, of: other) }
      case .member(let step):
        pin(step.slot, of: entry.table)
        pin(step.member, of: destination(entry.table, step.slot, step.property))
      case .arrangement(let step):
        pin(step.slot, of: entry.table)
        let other = destination(entry.table, step.slot, step.property)
        for member in step.old + step.new { pin(member, of: other) }
      }
    }
  }

  /// The entries of all groups that can be undone, the first of them first.
  var recordedEntries: some Sequence<UndoGroup.Entry> { (state.undo.map(\.entries) + [state.open]).joined() }

  /// The number of groups that can be undone.
  var groupCount: Int { state.undo.count }

  /// The steps of all groups.
  var allEntries: some Sequence<UndoGroup.Entry> {
    (state.undo.map(\.entries) + state.redo.map(\.entries) + [state.open]).joined()
  }
}
