/// The value after each announcement, read in the isolation of the loop.
struct ValueSequence<Announcement, Value>: AsyncSequence {
  let announcements: AsyncStream<Announcement>
  let read: () -> Value

  init(_ announcements: AsyncStream<Announcement>, _ read: @escaping () -> Value) {
    self.announcements = announcements
    self.read = read
  }

  struct Iterator: AsyncIteratorProtocol {
    var announcements: AsyncStream<Announcement>.Iterator
    let read: () -> Value

    mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      await announcements.next(isolation: actor) == nil ? nil : read()
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(announcements: announcements.makeAsyncIterator(), read: read) }
}
