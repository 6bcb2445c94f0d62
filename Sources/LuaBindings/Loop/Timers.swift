/// Scheduled calls, in the order of their times.
///
///     timers.add(at: now + 1) { print("once") }
///     timers.add(at: now + 1, every: 1) { print("each second") }
///
/// Repeated calls keep to multiples of their interval from the first time: a late call does not shift the others, and
/// missed calls are skipped.
final class Timers {
  private struct Timer {
    let number: Int
    var due: Double
    let first: Double
    let interval: Double?
    let body: () throws -> Void
  }

  /// The timers by time, and by number for equal times.
  private var waiting: [Timer] = []
  private var lastNumber = 0

  /// The time of the next call.
  var nextDue: Double? { waiting.first?.due }

  var count: Int { waiting.count }

  /// Schedules `body` for a time, and again after each `interval`; returns the number that cancels it.
  func add(at due: Double, every interval: Double? = nil, _ body: @escaping () throws -> Void) -> Int {
    lastNumber += 1
    insert(Timer(number: lastNumber, due: due, first: due, interval: interval, body: body))
    return lastNumber
  }

  func remove(_ number: Int) { waiting.removeAll { $0.number == number } }

  func removeAll() { waiting = [] }

  /// The calls that are due at a time; calls added meanwhile are not included.
  func numbers(dueAt now: Double) -> [Int] { waiting.prefix { $0.due <= now }.map(\.number) }

  /// Returns the call with a number and removes it if it runs only once; nil if it was cancelled.
  func begin(_ number: Int) -> (() throws -> Void)? {
    guard let index = waiting.firstIndex(where: { $0.number == number }) else { return nil }
    return waiting[index].interval == nil ? waiting.remove(at: index).body : waiting[index].body
  }

  /// Reschedules a repeated call, after it was made, for its next multiple that is not past.
  func end(_ number: Int, at now: Double) {
    guard let index = waiting.firstIndex(where: { $0.number == number }), let interval = waiting[index].interval else {
      return
    }
    var timer = waiting.remove(at: index)
    let steps = max(((now - timer.first) / interval).rounded(.down), 0)
    timer.due = timer.first + (steps + 1) * interval
    // Rounding may have given the current time, or a tiny interval no progress.
    if timer.due <= now || !timer.due.isFinite { timer.due = max(now + interval, now.nextUp) }
    insert(timer)
  }

  private func insert(_ timer: Timer) {
    var low = 0
    var high = waiting.count
    while low < high {
      let middle = (low + high) / 2
      if (waiting[middle].due, waiting[middle].number) < (timer.due, timer.number) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    waiting.insert(timer, at: low)
  }
}
