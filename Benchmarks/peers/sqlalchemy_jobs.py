"""SQLAlchemy's object-relational mapper: sqlalchemy_jobs.py read STORE | update STORE COUNT"""

import sys

from sqlalchemy import create_engine, event, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column


class Base(DeclarativeBase):
    pass


class Quake(Base):
    __tablename__ = "quake"
    id: Mapped[int] = mapped_column(primary_key=True)
    magnitude: Mapped[float]
    place: Mapped[str]
    time: Mapped[float]
    depth: Mapped[float]
    code: Mapped[str]
    day: Mapped[str]


def read(session):
    total, count = 0.0, 0
    for quake in session.scalars(select(Quake).execution_options(yield_per=1000)):
        total += quake.magnitude
        if "CA" in quake.place:
            count += 1
    return f"sum={total:.2f} count={count}"


def update(session, limit):
    quakes = session.scalars(select(Quake).where(Quake.id <= limit)).all()
    for quake in quakes:
        quake.depth += 1
    session.commit()
    return f"count={len(quakes)}"


engine = create_engine(f"sqlite:///{sys.argv[2]}")
event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous = NORMAL"))
with Session(engine) as session:
    session.connection()
    print("begin", file=sys.stderr, flush=True)
    result = read(session) if sys.argv[1] == "read" else update(session, int(sys.argv[3]))
    print("end", result, file=sys.stderr, flush=True)
