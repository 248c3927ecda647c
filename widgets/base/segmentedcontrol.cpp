// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/segmentedcontrol.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QToolButton>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int segmentPadding = 14; // the style's, and a frame

/// One segment. A screen reader toggles it without a click; then it says so itself.
class Segment final : public QToolButton {
public:
    explicit Segment(QWidget* parent) : QToolButton(parent) { }
    bool isClicked() const { return m_clicked; }

    /// The taken one is semi-bold, and no other moves for it.
    void makeRoom()
    {
        QFont strong = font();
        strong.setWeight(QFont::DemiBold);
        setMinimumWidth(QFontMetrics(strong).horizontalAdvance(text()) + segmentPadding);
    }

protected:
    void nextCheckState() override
    {
        m_clicked = true;
        QToolButton::nextCheckState();
        m_clicked = false;
    }
    void changeEvent(QEvent* event) override
    {
        QToolButton::changeEvent(event);
        if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
            makeRoom();
    }

private:
    bool m_clicked = false;
};

} // namespace

SegmentedControl::SegmentedControl(const QStringList& labels, QWidget* parent)
    : QWidget(parent), m_group(new QButtonGroup(this))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    for (int i = 0; i < labels.size(); ++i) {
        auto* button = new Segment(this);
        button->setText(labels.at(i));
        button->makeRoom();
        button->setAccessibleName(labels.at(i));
        button->setCheckable(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        const bool last = i + 1 == labels.size();
        button->setProperty("segment",
            labels.size() == 1 ? u"only"_s
                : i == 0       ? u"first"_s
                : last         ? u"last"_s
                               : u"middle"_s);
        m_group->addButton(button, i);
        row->addWidget(button);
    }
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    if (auto* first = m_group->button(0))
        setFocusProxy(first);
    // Only a change that a person made: by a click, as arrow keys do, or by a screen reader, which toggles.
    connect(m_group, &QButtonGroup::idClicked, this, &SegmentedControl::chosen);
    connect(m_group, &QButtonGroup::idToggled, this, [this](int id, bool on) {
        if (on && !m_setting && !static_cast<Segment*>(m_group->button(id))->isClicked())
            emit chosen(id);
    });
}

int SegmentedControl::current() const { return m_group->checkedId(); }

void SegmentedControl::setCurrent(int index)
{
    if (index == current())
        return;
    if (auto* button = m_group->button(index)) {
        m_setting = true;
        button->setChecked(true);
        m_setting = false;
        setFocusProxy(button);
        return;
    }
    m_group->setExclusive(false);
    for (auto* button : m_group->buttons())
        button->setChecked(false);
    m_group->setExclusive(true);
}

int SegmentedControl::count() const { return int(m_group->buttons().size()); }

void SegmentedControl::setSegmentToolTip(int index, const QString& text)
{
    if (auto* button = m_group->button(index))
        button->setToolTip(text);
}

void SegmentedControl::setSegmentEnabled(int index, bool enabled)
{
    if (auto* button = m_group->button(index))
        button->setEnabled(enabled);
}

} // namespace rankwright
