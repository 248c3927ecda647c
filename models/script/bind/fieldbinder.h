// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/bind/boundscript.h"
#include "models/script/bind/launchchoice.h"
#include "models/script/bind/valuetracer.h"

namespace rankwright::inline script {

/// What the binders of the parts of a script share (countbinder, commandbinder, environmentbinder).
struct BindState {
    BoundScript out;
    qsizetype base = 0; ///< a byte order mark stands before what the shell reader reads
    QList<qsizetype> lineStarts;
    LaunchChoice choice;
    const Launch* launch = nullptr; ///< the one that trains, or the last of several that start the same program
    const ValueTracer* tracer = nullptr;
};

/// How a field is entered: its value with its places, or why it has none.
class FieldBinder {
public:
    explicit FieldBinder(BindState& state)
        : m_out(state.out), m_base(state.base), m_lineStarts(state.lineStarts), m_choice(state.choice),
          m_launch(state.launch), m_tracer(state.tracer)
    { }

    /// The option that counts is the last one; earlier ones that say the same go with it.
    void bindDirective(const QString& path, const QString& name);

protected:
    using State = ScriptField::State;
    using Kind = LaunchLayer::Kind;

    const BatchText& batch() const { return m_out.batch; }
    TextRange inText(qsizetype begin, qsizetype end) const { return {begin + m_base, end + m_base}; }
    ScriptPlace placeOf(const TextRange& range) const;
    TextRange directiveRange(int line, int column, int endColumn) const;
    TextRange valueRange(const BatchOption& option) const;
    static QString valueFor(const QString& option, const QString& value); ///< as a design names it
    static bool isReadBySlurm(const QString& option, const QString& value); ///< a time or a size as sbatch(1) has it
    QString absenceOf(const QString& option) const;

    ScriptField& field(const QString& path) { return m_out.fields.fields[path]; }
    void bound(const QString& path, const QString& value, QList<TextRange> ranges);
    void absent(const QString& path, const QString& why);
    void undecided(const QString& path, const QString& why, const QString& value = {}, State state = State::Undecided);

    /// A value that was typed in one piece, at an assignment that reaches the command, or the word where it stands.
    struct Text {
        QString value;
        std::optional<TextRange> range;
        QString why;
        QList<TextRange> madeOf;
        int unknown = 0; ///< TracedValue
    };
    Text textOf(const ShellWord& word, int use) const;
    void bindText(const QString& path, const ShellWord& word, int use);
    QList<TextRange> piecesOf(const TracedValue& traced) const;
    enum class WordPlace { Here, Elsewhere }; ///< whether the text of a word stands where the word does
    QList<qsizetype> placesBehind(const ShellWord& word, WordPlace at, int use) const;
    TextRange withName(TextRange range) const;
    ListWord listWord(const ShellWord& word, int use, qsizetype sharing) const;
    QList<ListWord> listWords(const QList<ShellWord>& words, int use) const;

    /// Whether the size of a step is that of the directives, or follows it.
    bool spansJob(const Launch& launch) const;
    /// A step that is one of many, or runs on a part of the job, says nothing about the job.
    bool speaksForJob(const Launch& launch) const;

    BoundScript& m_out;
    const qsizetype m_base;
    const QList<qsizetype>& m_lineStarts;
    LaunchChoice& m_choice;
    const Launch*& m_launch;
    const ValueTracer* m_tracer;
};

} // namespace rankwright::inline script
