"""SQLAlchemy's object graph: sqlalchemy_graph.py link COUNT STORE | related STORE"""

import sys

from sqlalchemy import ForeignKey, create_engine, event, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship, selectinload


class Base(DeclarativeBase):
    pass


class Folder(Base):
    __tablename__ = "folder"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    items: Mapped[list["Item"]] = relationship(back_populates="folder", order_by="Item.id")


class Item(Base):
    __tablename__ = "item"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    number: Mapped[int]
    folder_id: Mapped[int] = mapped_column(ForeignKey("folder.id"), index=True)
    folder: Mapped[Folder] = relationship(back_populates="items")


def link(session, count):
    folder = None
    for i in range(1, count + 1):
        if i % 100 == 1:
            folder = Folder(name=f"folder {i}")
            session.add(folder)
        session.add(Item(name=f"item {i}", number=i, folder=folder))
    session.commit()
    return f"count={count}"


def related(session):
    total = count = 0
    for folder in session.scalars(select(Folder).options(selectinload(Folder.items))):
        for item in folder.items:
            total += item.number
            count += 1
    return f"sum={total} count={count}"


engine = create_engine(f"sqlite:///{sys.argv[-1]}")


@event.listens_for(engine, "connect")
def configure(connection, _):
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")


Base.metadata.create_all(engine)
with Session(engine) as session:
    session.connection()
    print("begin", file=sys.stderr, flush=True)
    result = link(session, int(sys.argv[2])) if sys.argv[1] == "link" else related(session)
    print("end", result, file=sys.stderr, flush=True)
