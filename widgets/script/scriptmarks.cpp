// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/script/scriptmarks.h"

#include "widgets/base/icons.h"
#include "widgets/base/theme.h"

#include <QRegularExpression>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

// Markers above 24 belong to folding; a lower one is drawn first.
enum Marker {
    YoursBackground,
    LitBackground,
    YoursBar,
    LitBar,
    OriginBar,
    SilencedSign,
    HintSign,
    WarningSign,
    ErrorSign
};
// Below 8 are those of lexers.
enum Indicator { HintLine = 8, WarningLine, ErrorLine, Hit, Place };
using Base = QsciScintillaBase;

int signOf(const ScriptRemark& remark)
{
    const Severity severity = remark.finding.severity;
    return remark.isSilenced()          ? SilencedSign
        : severity == Severity::Error   ? ErrorSign
        : severity == Severity::Warning ? WarningSign
                                        : HintSign;
}

int underlineOf(Severity severity)
{
    return severity == Severity::Error ? ErrorLine : severity == Severity::Warning ? WarningLine : HintLine;
}

long utf8Length(const QString& text) { return long(text.toUtf8().size()); }

} // namespace

bool isYours(const ScriptLine& line)
{
    for (const FieldPath& origin : line.origins) {
        if (isPartOf(origin, field::overrides))
            return true;
    }
    return false;
}

ScriptMarks::ScriptMarks(QsciScintilla& editor) : m_editor(editor)
{
    editor.setMargins(3);
    editor.setMarginType(Signs, QsciScintilla::SymbolMargin);
    editor.setMarginType(LineNumbers, QsciScintilla::NumberMargin);
    editor.setMarginType(Origins, QsciScintilla::SymbolMargin);
    editor.setMarginWidth(Signs, 16);
    editor.setMarginWidth(Origins, 6);
    editor.setMarginSensitivity(Signs, true);
    editor.setMarginSensitivity(Origins, true);
    editor.setMarginMarkerMask(Signs, (1 << SilencedSign) | (1 << HintSign) | (1 << WarningSign) | (1 << ErrorSign));
    editor.setMarginMarkerMask(LineNumbers, 0);
    editor.setMarginMarkerMask(Origins, (1 << YoursBar) | (1 << LitBar) | (1 << OriginBar));
    editor.markerDefine(QsciScintilla::Background, YoursBackground);
    editor.markerDefine(QsciScintilla::Background, LitBackground);
    editor.markerDefine(QsciScintilla::FullRectangle, YoursBar);
    editor.markerDefine(QsciScintilla::FullRectangle, LitBar);
    editor.markerDefine(QsciScintilla::LeftRectangle, OriginBar);
    editor.indicatorDefine(QsciScintilla::DotsIndicator, HintLine);
    editor.indicatorDefine(QsciScintilla::SquiggleIndicator, WarningLine);
    editor.indicatorDefine(QsciScintilla::SquiggleIndicator, ErrorLine);
    editor.indicatorDefine(QsciScintilla::StraightBoxIndicator, Hit);
    editor.indicatorDefine(QsciScintilla::StraightBoxIndicator, Place);
    for (const int indicator : {int(HintLine), int(WarningLine), int(ErrorLine), int(Hit), int(Place)})
        editor.setIndicatorDrawUnder(true, indicator);
}

void ScriptMarks::applyTheme()
{
    using T = Theme::Token;
    const Theme& theme = themeOf(&m_editor);
    const QColor panel = theme.colour(T::Panel);
    const auto bar = [this](const QColor& colour, int marker) {
        m_editor.setMarkerBackgroundColor(colour, marker);
        m_editor.setMarkerForegroundColor(colour, marker);
    };
    m_editor.setMarginsForegroundColor(theme.colour(T::Foreground3));
    m_editor.setMarginsBackgroundColor(panel);
    m_editor.SendScintilla(Base::SCI_SETFOLDMARGINCOLOUR, 1ul, panel);
    m_editor.SendScintilla(Base::SCI_SETFOLDMARGINHICOLOUR, 1ul, panel);
    fitNumbers();
    m_editor.setMarkerBackgroundColor(theme.colour(T::LineHighlight), LitBackground);
    m_editor.setMarkerBackgroundColor(Theme::mix(theme.colour(T::WarnBackground), panel, 0.75), YoursBackground);
    bar(theme.colour(T::Accent), LitBar);
    bar(theme.colour(T::Warn), YoursBar);
    bar(Theme::mix(theme.colour(T::Accent), panel, 0.22), OriginBar);
    const auto sign = [this, &theme](const QString& icon, T token, int marker) {
        m_editor.markerDefine(iconPixmap(icon, theme.colour(token), 14, m_editor.devicePixelRatioF()), marker);
    };
    sign(u"hint"_s, T::Foreground3, SilencedSign);
    sign(u"hint"_s, T::Accent, HintSign);
    sign(u"warning"_s, T::Warn, WarningSign);
    sign(u"error"_s, T::Bad, ErrorSign);
    m_editor.setIndicatorForegroundColor(theme.colour(T::Accent), HintLine);
    m_editor.setIndicatorForegroundColor(theme.colour(T::Warn), WarningLine);
    m_editor.setIndicatorForegroundColor(theme.colour(T::Bad), ErrorLine);
    QColor hit = theme.colour(T::Warn);
    hit.setAlpha(70);
    m_editor.setIndicatorForegroundColor(hit, Hit);
    m_editor.setIndicatorOutlineColor(hit, Hit);
    QColor place = theme.colour(T::Accent);
    place.setAlpha(70);
    m_editor.setIndicatorForegroundColor(place, Place);
    m_editor.setIndicatorOutlineColor(place, Place);
}

/// As wide as the numbers need: a narrow window has no column to spare.
void ScriptMarks::fitNumbers()
{
    const int lines = m_editor.lines();
    m_editor.setMarginWidth(LineNumbers, lines < 100 ? u"00 "_s : lines < 1000 ? u"000 "_s : u"00000 "_s);
}

void ScriptMarks::markLines(const ScriptDocument& document, const QList<int>& lit)
{
    for (const int marker : {int(YoursBackground), int(LitBackground), int(YoursBar), int(LitBar), int(OriginBar)})
        m_editor.markerDeleteAll(marker);
    fitNumbers();
    for (int line = 0; line < document.lines.size(); ++line) {
        const ScriptLine& script = document.lines.at(line);
        if (isYours(script)) {
            m_editor.markerAdd(line, YoursBackground);
            m_editor.markerAdd(line, YoursBar);
        }
        if (lit.contains(line)) {
            m_editor.markerAdd(line, LitBackground);
            m_editor.markerAdd(line, LitBar);
        } else if (!script.origins.isEmpty() && !isYours(script)) {
            m_editor.markerAdd(line, OriginBar);
        }
    }
}

void ScriptMarks::markPlaces(const QList<ScriptPlace>& places, qsizetype shift)
{
    clear(Place);
    if (places.isEmpty())
        return;
    const QString text = m_editor.text();
    for (const ScriptPlace& place : places) {
        const qsizetype begin = qMax(qsizetype(0), place.begin - shift);
        fill(Place, utf8Length(text.left(begin)), utf8Length(text.mid(begin, place.end - place.begin)));
    }
}

void ScriptMarks::markRemarks(const QList<ScriptRemark>& remarks)
{
    for (const int marker : {int(SilencedSign), int(HintSign), int(WarningSign), int(ErrorSign)})
        m_editor.markerDeleteAll(marker);
    for (const int indicator : {int(HintLine), int(WarningLine), int(ErrorLine)})
        clear(indicator);
    const int count = m_editor.lines();
    for (const ScriptRemark& remark : remarks) {
        if (remark.firstLine() < 0 || remark.firstLine() >= count)
            continue;
        m_editor.markerAdd(remark.firstLine(), signOf(remark));
        if (remark.isSilenced())
            continue;
        for (int line = remark.firstLine(); line <= qMin(remark.lastLine(), count - 1); ++line) {
            QString text = m_editor.text(line);
            while (text.endsWith(u'\n') || text.endsWith(u'\r'))
                text.chop(1);
            const RemarkSpan span = spanOf(remark, text);
            const long start = m_editor.SendScintilla(Base::SCI_POSITIONFROMLINE, static_cast<unsigned long>(line));
            fill(underlineOf(remark.finding.severity), start + utf8Length(text.left(span.from)),
                utf8Length(text.mid(span.from, span.to - span.from)));
        }
    }
}

int ScriptMarks::markHits(const QString& wanted, Qt::CaseSensitivity sensitivity)
{
    clear(Hit);
    if (wanted.isEmpty())
        return 0;
    const QString text = m_editor.text();
    int count = 0;
    long bytes = 0;
    qsizetype done = 0;
    for (qsizetype at = text.indexOf(wanted, 0, sensitivity); at >= 0; at = text.indexOf(wanted, done, sensitivity)) {
        bytes += utf8Length(text.mid(done, at - done));
        const long length = utf8Length(text.mid(at, wanted.size()));
        fill(Hit, bytes, length);
        bytes += length;
        done = at + wanted.size();
        ++count;
    }
    return count;
}

void ScriptMarks::fill(int indicator, long from, long length)
{
    if (length <= 0)
        return;
    m_editor.SendScintilla(Base::SCI_SETINDICATORCURRENT, static_cast<unsigned long>(indicator));
    m_editor.SendScintilla(Base::SCI_INDICATORFILLRANGE, static_cast<unsigned long>(from), length);
}

void ScriptMarks::clear(int indicator)
{
    m_editor.SendScintilla(Base::SCI_SETINDICATORCURRENT, static_cast<unsigned long>(indicator));
    m_editor.SendScintilla(Base::SCI_INDICATORCLEARRANGE, 0ul, static_cast<long>(m_editor.length()));
}

} // namespace rankwright
