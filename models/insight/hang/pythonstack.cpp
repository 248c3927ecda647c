// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/pythonstack.h"

#include "models/core/harmlesstext.h"
#include "models/core/jsonreader.h"

#include <QJsonArray>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype mostStackBytes = 8 << 20;
constexpr qsizetype mostThreads = 256;
constexpr qsizetype mostFramesOfThread = 512;
constexpr qsizetype mostNameOfFrame = 400;
constexpr qsizetype mostLineOfStack = 4'000; ///< longer lines are of something else

QString frameName(const QString& text) { return harmlessLine(text, mostNameOfFrame); }

std::optional<int> lineNumber(qint64 number)
{
    if (number > 0 && number < 100'000'000)
        return int(number);
    return {};
}

std::optional<PythonStacks> stacksOfJson(const QByteArray& text)
{
    // An array is not an object, which is what the reader of JSON takes.
    const qsizetype first = text.indexOf('['), last = text.lastIndexOf(']');
    if (first < 0 || last < first)
        return {};
    const auto json = parseJsonObject("{\"threads\":" + text.mid(first, last - first + 1) + '}', u"py-spy"_s);
    if (!json)
        return {};
    PythonStacks stacks;
    stacks.source = StackSource::PySpyJson;
    const QJsonArray threads = json->value("threads"_L1).toArray();
    for (const QJsonValue& value : threads) {
        const QJsonObject members = value.toObject();
        if (!members.value("frames"_L1).isArray() || stacks.threads.size() >= mostThreads)
            continue;
        PythonThread thread;
        thread.name = frameName(members.value("thread_name"_L1).toString());
        const qint64 pid = members.value("pid"_L1).toInteger(), number = members.value("os_thread_id"_L1).toInteger();
        thread.isMain = pid > 0 && pid == number;
        if (members.value("active"_L1).isBool())
            thread.active = members.value("active"_L1).toBool();
        if (members.value("owns_gil"_L1).isBool())
            thread.ownsGil = members.value("owns_gil"_L1).toBool();
        const QJsonArray frames = members.value("frames"_L1).toArray();
        for (const QJsonValue& frameValue : frames) {
            if (thread.frames.size() >= mostFramesOfThread)
                break;
            const QJsonObject frame = frameValue.toObject();
            PythonFrame read{frameName(frame.value("name"_L1).toString()),
                frameName(frame.value("filename"_L1).toString()), lineNumber(frame.value("line"_L1).toInteger())};
            if (!read.function.isEmpty() || !read.file.isEmpty())
                thread.frames.append(read);
        }
        stacks.threads.append(thread);
    }
    if (stacks.threads.isEmpty())
        return {};
    return stacks;
}

/// Lines of one text tool, a thread each time a heading comes.
class StackLines {
public:
    /// A heading starts a new dump when it is of the other tool, when its thread was there already, or when the one
    /// before it, without an empty line between, is a program's main thread, which faulthandler prints last.
    void begin(StackSource source, const PythonThread& thread, const QString& id)
    {
        const bool isAfterMain = m_isOpen && source == StackSource::FaultHandler
            && !m_stacks.threads.last().frames.isEmpty()
            && m_stacks.threads.last().frames.last().function == "<module>"_L1;
        if (m_stacks.source != source || (!id.isEmpty() && m_seen.contains(id)) || isAfterMain)
            restart(source);
        m_seen.insert(id);
        m_isOpen = m_stacks.threads.size() < mostThreads;
        if (m_isOpen)
            m_stacks.threads.append(thread);
    }
    void restart(StackSource source)
    {
        m_stacks = {};
        m_seen.clear();
        m_stacks.source = source;
        m_isOpen = false;
    }
    bool isOpen() const { return m_isOpen; }
    void end() { m_isOpen = false; }
    void add(const PythonFrame& frame)
    {
        if (m_isOpen && m_stacks.threads.last().frames.size() < mostFramesOfThread)
            m_stacks.threads.last().frames.append(frame);
    }
    const PythonStacks& stacks() const { return m_stacks; }

private:
    PythonStacks m_stacks;
    QSet<QString> m_seen;
    bool m_isOpen = false;
};

/// `  File "x.py", line 8 in f`, of faulthandler. Empty: another line.
std::optional<PythonFrame> faultHandlerFrame(const QString& line)
{
    static const QRegularExpression form(uR"re(^\s+File "(.*)", line (\d{1,9}|\?\?\?) in (.*)$)re"_s);
    const auto match = form.match(line);
    if (!match.hasMatch())
        return {};
    return PythonFrame{
        frameName(match.captured(3)), frameName(match.captured(1)), lineNumber(match.captured(2).toLongLong())};
}

/// `    f (x.py:8)`, `    read (libc.so.6)`, of py-spy. Empty: another line.
std::optional<PythonFrame> pySpyFrame(const QString& line)
{
    // what is further in are arguments and local variables
    if (!line.startsWith("    "_L1) || line.startsWith("     "_L1) || !line.endsWith(u')'))
        return {};
    const QString text = line.trimmed();
    // A name of Python has no blank, a path may have one; names of native functions have both.
    static const QRegularExpression ofPython(uR"(^(\S+) \((.+):(\d{1,9})\)$)"_s);
    if (const auto match = ofPython.match(text); match.hasMatch())
        return PythonFrame{
            frameName(match.captured(1)), frameName(match.captured(2)), lineNumber(match.captured(3).toLongLong())};
    const qsizetype open = text.lastIndexOf(" ("_L1);
    if (open <= 0)
        return {};
    return PythonFrame{frameName(text.left(open)), frameName(text.mid(open + 2).chopped(1)), std::nullopt};
}

struct ThreadHeading {
    PythonThread thread;
    QString id; ///< as printed; empty: none is
};

/// `Thread 0x00007f… (most recent call first):`, `Current thread 0x… [name] (most recent call first):`, `Stack (most
/// recent call first):` of faulthandler.
std::optional<ThreadHeading> faultHandlerThread(const QString& line)
{
    static const QRegularExpression form(
        uR"(^(?:(Current thread|Thread) (0x[0-9a-fA-F]{1,16})|Stack)(?: \[(.*)\])? \(most recent call first\):\s*$)"_s);
    const auto match = form.match(line);
    if (!match.hasMatch())
        return {};
    ThreadHeading heading;
    heading.thread.isCurrent = match.capturedView(1) != "Thread"_L1;
    heading.thread.name = frameName(match.captured(3));
    heading.id = match.captured(2);
    return heading;
}

/// `Thread 123 (active+gil): "MainThread"`, `Thread 0x7F… (idle)` of py-spy.
std::optional<PythonThread> pySpyThread(const QString& line, const QString& pid)
{
    static const QRegularExpression form(
        uR"re(^Thread ((?:0x)?[0-9A-Fa-f]{1,20}) \((active|idle|active\+gil|idle\+gil)\)(?:: "(.*)")?\s*$)re"_s);
    const auto match = form.match(line);
    if (!match.hasMatch())
        return {};
    PythonThread thread;
    thread.isMain = match.capturedView(1) == pid;
    thread.active = match.capturedView(2).startsWith("active"_L1);
    thread.ownsGil = match.capturedView(2).endsWith("gil"_L1);
    thread.name = frameName(match.captured(3));
    return thread;
}

std::optional<PythonStacks> stacksOfText(const QString& text)
{
    static const QRegularExpression process(uR"(^Process (\d{1,10}): )"_s);
    StackLines lines;
    QString pid;
    for (QStringView view : QStringView(text).split(u'\n')) {
        if (view.size() > mostLineOfStack)
            continue;
        if (view.endsWith(u'\r'))
            view.chop(1);
        const QString line = view.toString();
        if (const auto heading = faultHandlerThread(line)) {
            lines.begin(StackSource::FaultHandler, heading->thread, heading->id);
        } else if (const auto spied = pySpyThread(line, pid)) {
            lines.begin(StackSource::PySpyText, *spied, {});
        } else if (const auto begun = process.match(line); begun.hasMatch()) {
            pid = begun.captured(1);
            lines.restart(StackSource::PySpyText);
        } else if (lines.isOpen()) {
            const auto frame
                = lines.stacks().source == StackSource::FaultHandler ? faultHandlerFrame(line) : pySpyFrame(line);
            if (frame)
                lines.add(*frame);
            else if (line.trimmed().isEmpty())
                lines.end();
        }
    }
    if (lines.stacks().threads.isEmpty())
        return {};
    return lines.stacks();
}

} // namespace

const PythonThread* PythonStacks::mainThread() const
{
    const auto named = std::find_if(
        threads.begin(), threads.end(), [](const PythonThread& thread) { return thread.name == "MainThread"_L1; });
    if (named != threads.end())
        return &*named;
    const auto own
        = std::find_if(threads.begin(), threads.end(), [](const PythonThread& thread) { return thread.isMain; });
    if (own != threads.end())
        return &*own;
    if (threads.isEmpty())
        return nullptr;
    return source == StackSource::PySpyText ? &threads.first() : &threads.last();
}

QString toText(StackSource source) { return source == StackSource::FaultHandler ? u"faulthandler"_s : u"py-spy"_s; }

Result<PythonStacks> readPythonStacks(const QByteArray& text)
{
    if (text.size() > mostStackBytes)
        return fail(Fault::Invalid, u"The Python stacks are larger than %1 MiB."_s.arg(mostStackBytes >> 20));
    if (text.trimmed().startsWith('[')) {
        if (const auto stacks = stacksOfJson(text))
            return *stacks;
    }
    if (const auto stacks = stacksOfText(QString::fromUtf8(text)))
        return *stacks;
    return fail(Fault::Unreadable, u"No Python stack is in what was printed."_s);
}

} // namespace rankwright::inline insight
