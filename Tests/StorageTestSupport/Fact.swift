package import Stores

/// The fact of the StoreError that `body` throws; nil when it throws none.
package func fact<Result>(_ body: () throws -> Result) -> StoreError.Fact? {
  do {
    _ = try body()
    return nil
  } catch let error as StoreError {
    return error.fact
  } catch {
    return .sql(message: "\(error)", statement: "", offset: nil)
  }
}
