// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/guide/guidewords.h"

#include <QRegularExpression>

#include <array>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

struct Word {
    const char16_t* pattern;
    const char16_t* term;
};
// The first place of each in a text; what it means is the glossary's to say.
constexpr std::array<Word, 8> words{{{uR"(\bGCDs?\b)", u"gcd"}, {uR"(\branks?\b)", u"rank"},
    {uR"(\bgradients\b)", u"gradients"}, {uR"(\boptimiser\b)", u"optimiser-states"}, {uR"(\bSlurm\b)", u"slurm"},
    {uR"(\bpartitions?\b)", u"partition"}, {uR"(\bDeepSpeed\b)", u"zero"}, {uR"(\bqueue\b)", u"queue"}}};

} // namespace

QString withTermLinks(const QString& plain)
{
    QString rich = plain.toHtmlEscaped();
    for (const Word& word : words) {
        const auto match = QRegularExpression(QString::fromUtf16(word.pattern)).match(rich);
        // Never within a link that is there already.
        if (!match.hasMatch()
            || rich.lastIndexOf(u"<a "_s, match.capturedStart()) > rich.lastIndexOf(u"</a>"_s, match.capturedStart()))
            continue;
        rich.replace(match.capturedStart(), match.capturedLength(),
            u"<a href=\"term:%1\">%2</a>"_s.arg(QString::fromUtf16(word.term), match.captured()));
    }
    return rich;
}

QString unbroken(QString text) { return text.replace(u'\u2009', u'\u202f').replace(u"GPU-hour"_s, u"GPU\u2011hour"_s); }

QString termOfLink(const QString& link) { return link.startsWith(u"term:"_s) ? link.mid(5) : QString(); }

Theme::Token toneColour(Tone tone)
{
    switch (tone) {
    case Tone::Good: return Theme::Token::Good;
    case Tone::Warn: return Theme::Token::Warn;
    case Tone::Bad: return Theme::Token::Bad;
    case Tone::Busy: return Theme::Token::Accent;
    case Tone::Plain:
    case Tone::Quiet: break;
    }
    return Theme::Token::Foreground2;
}

QString toneIcon(Tone tone)
{
    switch (tone) {
    case Tone::Good: return u"check"_s;
    case Tone::Warn: return u"warning"_s;
    case Tone::Bad: return u"close"_s;
    case Tone::Busy: return u"refresh"_s;
    default: return u"hint"_s;
    }
}

} // namespace rankwright
