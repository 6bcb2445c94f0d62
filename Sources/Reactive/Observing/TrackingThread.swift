internal import Glibc

/// The tracking state of the running thread: programs have a thread for each engine, and tests many.
enum TrackingThread {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  private static let serialKey: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// The active tracking; the code that sets it keeps it alive.
  static var current: Tracking? {
    get { pthread_getspecific(key).map { Unmanaged<Tracking>.fromOpaque($0).takeUnretainedValue() } }
    set { pthread_setspecific(key, newValue.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }) }
  }

  /// A number for a tracking: 1, 2, ...
  static func nextSerial() -> Int {
    let next = Int(bitPattern: pthread_getspecific(serialKey)) + 1
    pthread_setspecific(serialKey, UnsafeRawPointer(bitPattern: next))
    return next
  }
}
