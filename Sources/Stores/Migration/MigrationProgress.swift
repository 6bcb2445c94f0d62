/// The progress of a migration.
public struct MigrationProgress: Sendable {
  /// The number of the stage, from 1.
  public var stage: Int
  /// How many stages there are.
  public var stageCount: Int
  /// How many rows the stage has written so far.
  public var rows: Int
  /// How many it will write, nearly.
  public var expectedRows: Int

  package init(stage: Int, stageCount: Int, rows: Int, expectedRows: Int) {
    (self.stage, self.stageCount, self.rows, self.expectedRows) = (stage, stageCount, rows, expectedRows)
  }
}
