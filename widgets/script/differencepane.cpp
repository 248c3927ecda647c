// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/script/differencepane.h"

#include "widgets/base/icons.h"
#include "widgets/base/theme.h"
#include "widgets/script/sbatchlexer.h"

#include <QKeyEvent>

#include <Qsci/qscistyle.h>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {
enum PaneMarker { OldBackground, NewBackground, FillerBackground, Framed, Arrow };
constexpr int arrowSize = 13;
constexpr int endOfLine = 16; // behind the last character
enum PaneIndicator { OldWord = 8, NewWord };
} // namespace

DifferencePane::DifferencePane(QWidget* parent) : QsciScintilla(parent), m_lexer(new SbatchLexer(this))
{
    setUtf8(true);
    setReadOnly(true);
    setFrameShape(QFrame::NoFrame);
    setEolMode(EolUnix);
    setWrapMode(WrapNone);
    setWrapVisualFlags(WrapFlagNone, WrapFlagNone, 2);
    setCaretWidth(0);
    setScrollWidth(1);
    setExtraAscent(2);
    setExtraDescent(2);
    SendScintilla(SCI_SETUNDOCOLLECTION, 0ul);
    SendScintilla(SCI_SETENDATLASTLINE, 1ul);
    setMargins(3);
    setMarginType(0, TextMargin);
    setMarginType(1, SymbolMargin);
    setMarginWidth(1, 5);
    setMarginType(2, SymbolMargin);
    setMarginWidth(2, 0);
    setMarginMarkerMask(0, 0);
    setMarginMarkerMask(1, 1 << Framed);
    setMarginMarkerMask(2, 1 << Arrow);
    setMarginSensitivity(2, true);
    connect(this, &QsciScintilla::marginClicked, this, [this](int margin, int row) {
        if (margin == 2 && m_lines.value(row).offersOther)
            emit arrowClicked(row);
    });
    for (const int marker : {int(OldBackground), int(NewBackground), int(FillerBackground)})
        markerDefine(Background, marker);
    markerDefine(FullRectangle, Framed);
    indicatorDefine(StraightBoxIndicator, OldWord);
    indicatorDefine(StraightBoxIndicator, NewWord);
    setIndicatorDrawUnder(true, OldWord);
    setIndicatorDrawUnder(true, NewWord);
    setLexer(m_lexer);
    applyTheme();
}

void DifferencePane::applyTheme()
{
    using T = Theme::Token;
    const Theme& theme = themeOf(this);
    m_lexer->applyTheme();
    setLexer(m_lexer);
    setPaper(theme.colour(T::Panel));
    setColor(theme.colour(T::Foreground));
    setSelectionBackgroundColor(theme.colour(T::Accent));
    setSelectionForegroundColor(theme.colour(T::OnAccent));
    setMarginsBackgroundColor(theme.colour(T::Panel));
    setMarginsForegroundColor(theme.colour(T::Foreground3));
    setMarginsFont(m_lexer->defaultFont(0));
    setMarginWidth(0, u" 000+"_s);
    setMarkerBackgroundColor(theme.colour(T::BadBackground), OldBackground);
    setMarkerBackgroundColor(theme.colour(T::GoodBackground), NewBackground);
    setMarkerBackgroundColor(theme.colour(T::Background), FillerBackground);
    setMarkerBackgroundColor(theme.colour(T::Accent), Framed);
    setMarkerForegroundColor(theme.colour(T::Accent), Framed);
    markerDefine(iconPixmap(u"undo"_s, theme.colour(T::Foreground2), arrowSize, 1), Arrow);
    const auto word = [this](QColor colour, int indicator) {
        colour.setAlpha(60);
        setIndicatorForegroundColor(colour, indicator);
        setIndicatorOutlineColor(colour, indicator);
    };
    word(theme.colour(T::Bad), OldWord);
    word(theme.colour(T::Good), NewWord);
    recolor();
}

void DifferencePane::setLongLines(LongLines how)
{
    const WrapMode mode = how == LongLines::Wrapped ? WrapWhitespace : WrapNone;
    if (mode != wrapMode())
        setWrapMode(mode);
}

int DifferencePane::widestLine() const
{
    int widest = 0;
    for (const PaneLine& line : m_lines)
        widest = std::max(widest, int(SendScintilla(SCI_TEXTWIDTH, STYLE_DEFAULT, line.text.toUtf8().constData())));
    return widest;
}

void DifferencePane::setScrolledWidth(int pixels) { setScrollWidth(std::max(1, pixels + endOfLine)); }

void DifferencePane::setLines(const QList<PaneLine>& lines)
{
    m_lines = lines;
    const int top = firstVisibleLine();
    QStringList texts;
    for (const PaneLine& line : lines)
        texts.append(line.text);
    setReadOnly(false);
    setText(texts.join(u'\n'));
    setReadOnly(true);
    markerDeleteAll();
    clearMarginText();
    const bool offers
        = std::any_of(lines.cbegin(), lines.cend(), [](const PaneLine& line) { return line.offersOther; });
    setMarginWidth(2, offers ? arrowSize + 5 : 0);
    const QsciStyle number(0);
    for (int row = 0; row < lines.size(); ++row) {
        const PaneLine& line = lines.at(row);
        const int marker = line.tint == PaneLine::Old ? OldBackground
            : line.tint == PaneLine::New              ? NewBackground
                                                      : FillerBackground;
        if (line.tint != PaneLine::None)
            markerAdd(row, marker);
        if (line.offersOther)
            markerAdd(row, Arrow);
        setMarginText(row, line.number, STYLE_LINENUMBER);
        if (line.to > line.from)
            fillIndicatorRange(row, line.from, row, line.to, line.tint == PaneLine::Old ? OldWord : NewWord);
    }
    recolor();
    SendScintilla(SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(top));
}

void DifferencePane::frame(int first, int last)
{
    markerDeleteAll(Framed);
    for (int row = first; row < last; ++row)
        markerAdd(row, Framed);
    if (first >= last)
        return;
    const int top = firstVisibleLine();
    const int count = int(SendScintilla(SCI_LINESONSCREEN));
    const auto shownAt // a wrapped line takes several on the screen
        = [this](int row) { return int(SendScintilla(SCI_VISIBLEFROMDOCLINE, static_cast<unsigned long>(row))); };
    if (shownAt(first) < top || shownAt(last) > top + count)
        SendScintilla(SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(qMax(0, shownAt(first) - count / 4)));
    SendScintilla(SCI_SETEMPTYSELECTION,
        static_cast<unsigned long>(SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(first))));
}

void DifferencePane::keyPressEvent(QKeyEvent* event)
{
    // Nothing can be typed here: Tab, Escape and the keys of the comparison belong to those around.
    switch (event->key()) {
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
    case Qt::Key_Escape:
    case Qt::Key_F7: event->ignore(); return;
    case Qt::Key_Backspace: event->ignore(); return;
    default: QsciScintilla::keyPressEvent(event);
    }
}

void DifferencePane::mouseReleaseEvent(QMouseEvent* event)
{
    QsciScintilla::mouseReleaseEvent(event);
    int row = 0;
    int column = 0;
    getCursorPosition(&row, &column);
    if (!hasSelectedText())
        emit rowClicked(row);
}

void DifferencePane::changeEvent(QEvent* event)
{
    QsciScintilla::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_lexer)
        applyTheme();
}

} // namespace rankwright
