"""SQLAlchemy's object-relational mapper over psycopg: sqlalchemy_postgres.py read ADDRESS | update ADDRESS COUNT"""

import sys
from datetime import datetime

from sqlalchemy import DateTime, create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column


class Base(DeclarativeBase):
    pass


class Quake(Base):
    __tablename__ = "quake"
    key: Mapped[int] = mapped_column("_pk", primary_key=True)
    magnitude: Mapped[float]
    place: Mapped[str]
    time: Mapped[datetime] = mapped_column(DateTime(timezone=True))
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
    quakes = session.scalars(select(Quake).order_by(Quake.code).limit(limit)).all()
    for quake in quakes:
        quake.depth += 1
    print("begin", file=sys.stderr, flush=True)
    session.commit()
    return f"count={len(quakes)}"


engine = create_engine(sys.argv[2].replace("postgresql://", "postgresql+psycopg://"))
with Session(engine) as session:
    session.connection()
    if sys.argv[1] == "read":
        print("begin", file=sys.stderr, flush=True)
    result = read(session) if sys.argv[1] == "read" else update(session, int(sys.argv[3]))
    print("end", result, file=sys.stderr, flush=True)
