// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/picklereader.h"

#include <QHash>
#include <QtEndian>

#include <bit>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

enum Opcode : quint8 {
    OpMark = '(',
    OpStop = '.',
    OpBinFloat = 'G',
    OpBinInt = 'J',
    OpBinInt1 = 'K',
    OpBinInt2 = 'M',
    OpNone = 'N',
    OpBinUnicode = 'X',
    OpAppend = 'a',
    OpAppends = 'e',
    OpBinGet = 'h',
    OpLongBinGet = 'j',
    OpBinPut = 'q',
    OpLongBinPut = 'r',
    OpSetItem = 's',
    OpTuple = 't',
    OpSetItems = 'u',
    OpEmptyTuple = ')',
    OpEmptyList = ']',
    OpEmptyDict = '}',
    OpProto = 0x80,
    OpTuple1 = 0x85,
    OpTuple2 = 0x86,
    OpTuple3 = 0x87,
    OpNewTrue = 0x88,
    OpNewFalse = 0x89,
    OpLong1 = 0x8a,
};

/// Opcodes that make a reader import, call or build something; empty: none of them.
QString callingName(quint8 opcode)
{
    switch (opcode) {
    case 'c': return u"GLOBAL"_s;
    case 0x93: return u"STACK_GLOBAL"_s;
    case 'R': return u"REDUCE"_s;
    case 'b': return u"BUILD"_s;
    case 'i': return u"INST"_s;
    case 'o': return u"OBJ"_s;
    case 0x81: return u"NEWOBJ"_s;
    case 0x92: return u"NEWOBJ_EX"_s;
    case 'P': return u"PERSID"_s;
    case 'Q': return u"BINPERSID"_s;
    case 0x82: return u"EXT1"_s;
    case 0x83: return u"EXT2"_s;
    case 0x84: return u"EXT4"_s;
    default: return {};
    }
}

/// The machine of one reading: bytes, a row of values that wait to be used, marks in it, and the memo.
class PickleMachine {
public:
    PickleMachine(const QByteArray& bytes, const PickleBounds& bounds) : m_bytes(bytes), m_bounds(bounds) { }

    Result<ValueTree> run()
    {
        if (m_bytes.size() > m_bounds.bytes)
            return fail(Fault::Invalid, u"The record is larger than %1 MiB."_s.arg(m_bounds.bytes >> 20));
        if (m_bytes.size() < 2 || quint8(m_bytes.at(0)) != OpProto)
            return fail(Fault::Unreadable, u"This is not a pickle of protocol 2."_s);
        while (!m_stopped) {
            if (const auto done = step(); !done)
                return fail(done.error());
            if (m_tree.size() > m_bounds.values || m_made > m_bounds.values)
                return wrong(u"more than %1 values"_s.arg(m_bounds.values));
        }
        return m_tree;
    }

private:
    using Place = ValueTree::Place;

    Unexpected<Error> wrong(const QString& why) const
    {
        return fail(Fault::Unreadable, u"The pickle can't be read: %1 (byte %2)."_s.arg(why, QString::number(m_at)));
    }
    bool has(qsizetype count) const { return count <= m_bytes.size() - m_next; }
    const char* readBytes(qsizetype count)
    {
        const char* from = m_bytes.constData() + m_next;
        m_next += count;
        return from;
    }
    void push(Place place)
    {
        m_waiting.append(place);
        ++m_made;
    }
    /// How many values wait above the last mark; all, where there is none.
    qsizetype aboveMark() const { return m_waiting.size() - (m_marks.isEmpty() ? 0 : m_marks.last()); }

    Result<void> step()
    {
        m_at = m_next;
        if (!has(1))
            return wrong(u"it is cut off"_s);
        const quint8 opcode = quint8(*readBytes(1));
        switch (opcode) {
        case OpProto: return protocol();
        case OpStop: return stop();
        case OpMark:
            if (m_marks.size() >= m_bounds.openMarks)
                return wrong(u"lists within lists, more than %1"_s.arg(m_bounds.openMarks));
            m_marks.append(m_waiting.size());
            return {};
        case OpNone: push(m_tree.addNone()); return {};
        case OpNewTrue: push(m_tree.addBoolean(true)); return {};
        case OpNewFalse: push(m_tree.addBoolean(false)); return {};
        case OpEmptyTuple:
        case OpEmptyList: push(m_tree.addList()); return {};
        case OpEmptyDict: push(m_tree.addDictionary()); return {};
        case OpBinInt:
        case OpBinInt1:
        case OpBinInt2:
        case OpBinFloat: return number(opcode);
        case OpLong1: return longNumber();
        case OpBinUnicode: return text();
        case OpTuple1: return tuple(1);
        case OpTuple2: return tuple(2);
        case OpTuple3: return tuple(3);
        case OpTuple:
            if (m_marks.isEmpty())
                return wrong(u"a tuple without its beginning"_s);
            return closeTuple();
        case OpAppend: return fill(1, ValueTree::Kind::List);
        case OpSetItem: return fill(2, ValueTree::Kind::Dictionary);
        case OpAppends:
        case OpSetItems: return fillFromMark(opcode);
        case OpBinPut:
        case OpLongBinPut: return put(opcode == OpBinPut ? 1 : 4);
        case OpBinGet:
        case OpLongBinGet: return get(opcode == OpBinGet ? 1 : 4);
        default: break;
        }
        if (const QString name = callingName(opcode); !name.isEmpty())
            return wrong(u"the opcode %1 would call something, which a record never needs"_s.arg(name));
        return wrong(u"the opcode 0x%1 is not one of plain values"_s.arg(uint(opcode), 2, 16, QChar(u'0')));
    }

    Result<void> protocol()
    {
        if (!has(1))
            return wrong(u"it is cut off"_s);
        const int version = quint8(*readBytes(1));
        if (version != 2 || m_at != 0)
            return wrong(u"protocol %1, expected 2 at the beginning"_s.arg(version));
        return {};
    }

    Result<void> stop()
    {
        if (m_waiting.size() != 1 || !m_marks.isEmpty())
            return wrong(u"it ends before its value is whole"_s);
        m_tree.setRoot(m_waiting.last());
        m_stopped = true;
        return {};
    }

    Result<void> number(quint8 opcode)
    {
        const qsizetype size = opcode == OpBinInt ? 4 : opcode == OpBinInt1 ? 1 : opcode == OpBinInt2 ? 2 : 8;
        if (!has(size))
            return wrong(u"it is cut off"_s);
        const char* from = readBytes(size);
        if (opcode == OpBinInt)
            push(m_tree.addWhole(qFromLittleEndian<qint32>(from)));
        else if (opcode == OpBinInt1)
            push(m_tree.addWhole(quint8(*from)));
        else if (opcode == OpBinInt2)
            push(m_tree.addWhole(qFromLittleEndian<quint16>(from)));
        else
            push(m_tree.addReal(std::bit_cast<double>(qFromBigEndian<quint64>(from))));
        return {};
    }

    Result<void> longNumber()
    {
        if (!has(1))
            return wrong(u"it is cut off"_s);
        const int size = quint8(*readBytes(1));
        if (!has(size))
            return wrong(u"it is cut off"_s);
        const char* from = readBytes(size);
        if (size > 8) {
            push(m_tree.addNone());
            return {};
        }
        quint64 bits = size > 0 && (quint8(from[size - 1]) & 0x80U) != 0 ? ~quint64(0) : 0; // two's complement
        for (int i = size - 1; i >= 0; --i)
            bits = (bits << 8) | quint8(from[i]);
        push(m_tree.addWhole(qint64(bits)));
        return {};
    }

    Result<void> text()
    {
        if (!has(4))
            return wrong(u"it is cut off"_s);
        const qsizetype size = qFromLittleEndian<quint32>(readBytes(4));
        if (size > m_bounds.textBytes)
            return wrong(u"a text of %1 bytes"_s.arg(size));
        if (!has(size))
            return wrong(u"it is cut off"_s);
        push(m_tree.addText(QString::fromUtf8(readBytes(size), size)));
        return {};
    }

    Result<void> tuple(qsizetype count)
    {
        if (aboveMark() < count)
            return wrong(u"a tuple of values that are not there"_s);
        return gather(count);
    }

    Result<void> closeTuple()
    {
        const qsizetype count = aboveMark();
        m_marks.removeLast();
        return gather(count);
    }

    Result<void> gather(qsizetype count)
    {
        const Place list = m_tree.addList();
        for (qsizetype i = m_waiting.size() - count; i < m_waiting.size(); ++i)
            m_tree.append(list, m_waiting.at(i));
        m_waiting.resize(m_waiting.size() - count);
        push(list);
        return {};
    }

    /// Takes `count` values into the list or dictionary that waits below them.
    Result<void> fill(qsizetype count, ValueTree::Kind kind)
    {
        if (aboveMark() < count + 1)
            return wrong(u"values that are not there"_s);
        return moveInto(count, kind);
    }

    Result<void> fillFromMark(quint8 opcode)
    {
        if (m_marks.isEmpty())
            return wrong(u"values without their beginning"_s);
        const qsizetype count = aboveMark();
        m_marks.removeLast();
        if (aboveMark() < count + 1)
            return wrong(u"values without their list"_s);
        if (opcode == OpSetItems && count % 2 != 0)
            return wrong(u"a key without its value"_s);
        return moveInto(count, opcode == OpSetItems ? ValueTree::Kind::Dictionary : ValueTree::Kind::List);
    }

    Result<void> moveInto(qsizetype count, ValueTree::Kind kind)
    {
        const qsizetype first = m_waiting.size() - count;
        const Place parent = m_waiting.at(first - 1);
        if (m_tree.kind(parent) != kind)
            return wrong(u"values for what is not a list"_s);
        for (qsizetype i = first; i < m_waiting.size(); ++i)
            m_tree.append(parent, m_waiting.at(i));
        m_waiting.resize(first);
        return {};
    }

    Result<void> put(qsizetype size)
    {
        if (!has(size))
            return wrong(u"it is cut off"_s);
        const char* from = readBytes(size);
        if (aboveMark() < 1)
            return wrong(u"nothing to remember"_s);
        m_memo.insert(size == 1 ? quint8(*from) : qFromLittleEndian<quint32>(from), m_waiting.last());
        return {};
    }

    Result<void> get(qsizetype size)
    {
        if (!has(size))
            return wrong(u"it is cut off"_s);
        const char* from = readBytes(size);
        const quint32 key = size == 1 ? quint8(*from) : qFromLittleEndian<quint32>(from);
        const auto found = m_memo.constFind(key);
        if (found == m_memo.constEnd())
            return wrong(u"a value that was not remembered"_s);
        push(*found);
        return {};
    }

    const QByteArray& m_bytes;
    const PickleBounds& m_bounds;
    ValueTree m_tree;
    QList<Place> m_waiting;
    QList<qsizetype> m_marks;
    QHash<quint32, Place> m_memo;
    qsizetype m_next = 0;
    qsizetype m_at = 0; ///< where the present opcode stands
    qsizetype m_made = 0;
    bool m_stopped = false;
};

} // namespace

Result<ValueTree> readPickle(const QByteArray& bytes, const PickleBounds& bounds)
{
    return PickleMachine(bytes, bounds).run();
}

} // namespace rankwright::inline insight
