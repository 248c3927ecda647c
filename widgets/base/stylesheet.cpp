// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/stylesheet.h"

#include "widgets/base/theme.h"

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

const char16_t* const fields = uR"(
QLineEdit, QComboBox, QSpinBox, QDoubleSpinBox, QPlainTextEdit, QTextEdit, QTimeEdit, QDateEdit {
    background: @panel; color: @ink; border: 1px solid @fieldline; border-radius: 6px;
    selection-background-color: @accent; selection-color: @onaccent; }
QLineEdit, QComboBox, QSpinBox, QDoubleSpinBox, QTimeEdit, QDateEdit { min-height: 26px; padding: 0 9px; }
QPlainTextEdit, QTextEdit { padding: 4px 5px; }
QLineEdit:hover, QComboBox:hover, QSpinBox:hover, QDoubleSpinBox:hover, QPlainTextEdit:hover { border-color: @ink3; }
QLineEdit:focus, QComboBox:focus, QSpinBox:focus, QDoubleSpinBox:focus, QPlainTextEdit:focus, QTextEdit:focus {
    border: 2px solid @accent; }
QLineEdit:focus, QComboBox:focus, QSpinBox:focus, QDoubleSpinBox:focus { padding: 0 8px; min-height: 24px; }
QPlainTextEdit:focus, QTextEdit:focus { padding: 3px 4px; }
QLineEdit[invalid="true"], QPlainTextEdit[invalid="true"] { border-color: @bad; }
QLineEdit:disabled, QComboBox:disabled, QSpinBox:disabled, QPlainTextEdit:disabled { background: @ground; color: @ink3; }
QLineEdit[frameless="true"] { border: none; background: transparent; padding: 0; min-height: 20px; }
QComboBox QLineEdit { border: none; background: transparent; padding: 0; min-height: 20px; }
QComboBox { combobox-popup: 0; }
QComboBox[open="true"] { color: @ink3; }
QComboBox::drop-down { border: none; width: 20px; subcontrol-position: center right; }
QComboBox::down-arrow { image: url(:/icons/arrow-down.svg); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: @panel; color: @ink; border: 1px solid @fieldline; padding: 4px; outline: none;
    selection-background-color: @accentground; selection-color: @ink; }
QComboBox QAbstractItemView::item { min-height: 26px; padding: 0 6px; border-radius: 4px; }
QSpinBox::up-button, QDoubleSpinBox::up-button { border: none; width: 20px; subcontrol-position: top right; }
QSpinBox::down-button, QDoubleSpinBox::down-button { border: none; width: 20px; subcontrol-position: bottom right; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(:/icons/arrow-up.svg); width: 10px; height: 10px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url(:/icons/arrow-down.svg); width: 10px; height: 10px; }
QCheckBox, QRadioButton { spacing: 8px; color: @ink; }
QCheckBox::indicator, QRadioButton::indicator { width: 16px; height: 16px; border: 1px solid @ink3; background: @panel; }
QCheckBox::indicator { border-radius: 4px; }
QRadioButton::indicator { border-radius: 8px; }
QCheckBox::indicator:checked, QRadioButton::indicator:checked { background: @accent; border-color: @accent; }
QCheckBox::indicator:checked { image: url(:/icons/@tick.svg); }
QCheckBox:focus, QRadioButton:focus { color: @accent; }
)";

const char16_t* const buttons = uR"(
QPushButton { background: @panel; color: @ink; border: 1px solid @fieldline; border-radius: 6px; min-height: 28px;
    padding: 0 14px; }
QPushButton:hover { border-color: @ink3; background: @ground; }
QPushButton:pressed { background: @line; }
QPushButton:focus { border: 2px solid @accent; padding: 0 13px; min-height: 26px; outline: none; }
QPushButton:disabled { color: @ink3; background: @ground; border-color: @line; }
QPushButton[accent="true"] { background: @accent; color: @onaccent; border: 1px solid @accent; font-weight: 600; }
QPushButton[accent="true"]:hover { background: @accenthover; border-color: @accenthover; }
QPushButton[accent="true"]:focus { border: 2px solid @ink; }
QPushButton[accent="true"]:disabled { background: @line; color: @ink2; border-color: @line; }
QPushButton[danger="true"] { color: @bad; }
QPushButton[link="true"] { background: transparent; color: @accent; border: 1px solid transparent; padding: 0 3px;
    min-height: 20px; text-align: left; border-radius: 4px; }
QPushButton[link="true"]:hover { text-decoration: underline; }
QPushButton[link="true"]:focus { border: 1px solid @accent; }
QPushButton[link="true"]:disabled { color: @ink3; }
QPushButton[spot="true"] { background: transparent; color: @ink; border: none; border-bottom: 1px dashed @ink3;
    border-radius: 0; padding: 0 3px; min-height: 20px; font-weight: 600; }
QPushButton[spot="true"]:hover { background: @accentground; color: @accent; }
QPushButton[spot="true"]:focus { border: 1px solid @accent; border-radius: 4px; padding: 0 2px; }
QPushButton[fold="true"] { background: transparent; color: @ink2; border: none; border-top: 1px solid @line; border-radius: 0;
    padding: 3px 2px 3px 0; min-height: 22px; text-align: left; font-weight: 600; }
QPushButton[fold="true"]:hover { background: @ground; color: @ink; }
QPushButton[fold="true"]:focus { border: 1px solid @accent; border-radius: 4px; padding: 3px 1px 3px 0; }
QPushButton[chip="true"] { border-radius: 8px; min-height: 26px; padding: 0 11px; }
QPushButton[verdict] { border: 1px solid transparent; border-radius: 13px; min-height: 24px; padding: 0 11px; font-weight: 600; }
QPushButton[verdict="good"] { color: @good; background: @goodground; }
QPushButton[verdict="warn"] { color: @warn; background: @warnground; }
QPushButton[verdict="bad"] { color: @bad; background: @badground; }
QPushButton[verdict="quiet"] { color: @ink2; background: @ground; }
QPushButton[verdict]:focus { border: 2px solid @accent; padding: 0 10px; min-height: 22px; }
QPushButton[chip="true"]::menu-indicator { image: none; width: 0; }
QToolButton { background: transparent; color: @ink2; border: 1px solid transparent; border-radius: 6px; padding: 4px; }
QToolButton:hover { background: @accentground; }
QToolButton:checked { background: @accentground; color: @accent; }
QToolButton:focus { border-color: @accent; }
QToolButton::menu-indicator { image: none; width: 0; }
QToolButton[segment] { background: @panel; color: @ink2; border: 1px solid @fieldline; border-radius: 0; padding: 0 5px;
    min-height: 26px; border-left-width: 0; }
QToolButton[segment="first"] { border-left-width: 1px; border-top-left-radius: 6px; border-bottom-left-radius: 6px; }
QToolButton[segment="last"] { border-top-right-radius: 6px; border-bottom-right-radius: 6px; }
QToolButton[segment="only"] { border-left-width: 1px; border-radius: 6px; }
QToolButton[segment]:hover { background: @ground; color: @ink; }
QToolButton[segment]:checked { background: @accent; color: @onaccent; border-color: @accent; font-weight: 600; }
QToolButton[segment]:focus { border: 2px solid @ink; min-height: 24px; padding: 0 4px; }
QToolButton[segment]:disabled { color: @ink3; background: @ground; }
QToolButton[navigation="true"] { border: none; border-left: 3px solid transparent; border-right: 3px solid transparent;
    border-radius: 0; padding: 7px 0 5px 0; color: @ink2; font-size: 11px; }
QToolButton[navigation="true"]:hover { background: @ground; color: @ink; }
QToolButton[navigation="true"]:checked { background: @accentground; color: @accent; border-left-color: @accent; }
QToolButton[navigation="true"]:focus { border-right-color: @accent; }
)";

const char16_t* const frames = uR"(
QMainWindow, QDialog { background: @ground; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QFrame[card="true"], QWidget[card="true"] { background: @panel; border: 1px solid @line; border-radius: 10px; }
QFrame[well="true"] { background: @accentground; border: none; border-radius: 6px; }
QWidget[strip="true"] { background: @panel; }
QLabel { background: transparent; }
QLabel[title="true"] { font-weight: 600; color: @ink; }
QLabel[caption="true"] { color: @ink3; font-size: 11px; }
QLabel[quiet="true"] { color: @ink2; }
QLabel[section="true"] { color: @ink2; font-size: 11px; font-weight: 600; }
QLabel[figure="true"] { color: @ink; font-size: 15px; font-weight: 600; }
QLabel[lit="true"] { color: @accent; font-weight: 600; }
QLabel[fault="true"] { color: @bad; font-size: 11px; }
QLabel[tone="good"] { color: @good; }
QLabel[tone="warn"] { color: @warn; }
QLabel[tone="bad"] { color: @bad; }
QLabel[pill="good"] { color: @good; background: @goodground; border-radius: 11px; padding: 3px 11px; font-weight: 600; }
QLabel[pill="warn"] { color: @warn; background: @warnground; border-radius: 11px; padding: 3px 11px; font-weight: 600; }
QLabel[pill="bad"] { color: @bad; background: @badground; border-radius: 11px; padding: 3px 11px; font-weight: 600; }
QLabel[pill="busy"] { color: @accent; background: @accentground; border-radius: 11px; padding: 3px 11px; font-weight: 600; }
QLabel[pill="quiet"] { color: @ink2; background: @ground; border-radius: 11px; padding: 3px 11px; font-weight: 600; }
QScrollArea { background: transparent; border: none; }
QSplitter::handle { background: @line; }
QSplitter::handle:hover { background: @accent; }
QSplitter[gap="true"]::handle { background: transparent; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @fieldline; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: @ink3; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QProgressBar { background: @line; border: none; border-radius: 3px; min-height: 6px; max-height: 6px; text-align: center; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }
QToolTip { background: @panel; color: @ink; border: 1px solid @fieldline; padding: 6px 8px; }
QBalloonTip QLabel { color: #000000; background: transparent; }
QBalloonTip QPushButton { background: transparent; border: none; padding: 0; min-height: 0; }
)";

const char16_t* const lists = uR"(
QAbstractItemView { background: @panel; color: @ink; border: none; outline: none; alternate-background-color: @ground;
    selection-background-color: @accentground; selection-color: @ink; }
QTableView { gridline-color: @line; }
QTableView::item, QListView::item, QTreeView::item { padding: 4px 8px; border: none; }
QTableView::item:selected, QListView::item:selected, QTreeView::item:selected { background: @accentground; color: @ink; }
QTableView::item:focus { border: 1px solid @accent; }
QHeaderView { background: @panel; border: none; }
QHeaderView::section { background: @panel; color: @ink2; border: none; border-bottom: 1px solid @line; padding: 6px 8px;
    font-size: 11px; font-weight: 600; }
QTableCornerButton::section { background: @panel; border: none; }
QMenuBar { background: @panel; color: @ink2; border: none; padding: 1px 8px; }
QMenuBar::item { background: transparent; padding: 3px 9px; border-radius: 4px; }
QMenuBar::item:selected { background: @accentground; color: @ink; }
QMenu { background: @panel; color: @ink; border: 1px solid @fieldline; border-radius: 8px; padding: 5px; }
QMenu::item { padding: 6px 26px 6px 12px; border-radius: 4px; }
QMenu::item:selected { background: @accentground; }
QMenu::item:disabled { color: @ink3; }
QMenu::icon { padding-left: 8px; }
QMenu::separator { height: 1px; background: @line; margin: 5px 8px; }
QTabWidget::pane { border: none; border-top: 1px solid @line; }
QTabBar { background: transparent; }
QTabBar::tab { background: transparent; color: @ink2; padding: 7px 12px; border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:hover { color: @ink; }
QTabBar::tab:selected { color: @accent; border-bottom-color: @accent; font-weight: 600; }
QTabBar::tab:focus { color: @accent; }
)";

} // namespace

QString styleSheetFor(Theme::Scheme scheme)
{
    using T = Theme::Token;
    QString sheet = QString::fromUtf16(fields) + QString::fromUtf16(buttons) + QString::fromUtf16(frames)
        + QString::fromUtf16(lists);
    const auto put = [&sheet](const QString& name, const QColor& colour) {
        sheet.replace(name + u';', colour.name() + u';');
        sheet.replace(name + u' ', colour.name() + u' ');
    };
    const auto token = [scheme](T name) { return Theme::colour(name, scheme); };
    put(u"@accenthover"_s, Theme::mix(token(T::Foreground), token(T::Accent), 0.18));
    const std::pair<QString, T> names[]
        = {{u"@ground"_s, T::Background}, {u"@panel"_s, T::Panel}, {u"@line"_s, T::Line}, {u"@ink"_s, T::Foreground},
            {u"@ink2"_s, T::Foreground2}, {u"@ink3"_s, T::Foreground3}, {u"@accent"_s, T::Accent},
            {u"@accentground"_s, T::AccentBackground}, {u"@onaccent"_s, T::OnAccent}, {u"@good"_s, T::Good},
            {u"@goodground"_s, T::GoodBackground}, {u"@warn"_s, T::Warn}, {u"@warnground"_s, T::WarnBackground},
            {u"@bad"_s, T::Bad}, {u"@badground"_s, T::BadBackground}, {u"@fieldline"_s, T::FieldLine}};
    for (const auto& [name, value] : names)
        put(name, token(value));
    sheet.replace(u"@tick"_s, scheme == Theme::Scheme::Light ? u"tick-light"_s : u"tick-dark"_s);
    return sheet;
}

} // namespace rankwright
