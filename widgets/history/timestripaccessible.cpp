// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/history/timestripaccessible.h"

#include "widgets/base/theme.h"
#include "widgets/history/timestrip.h"

#include <QAccessible>
#include <QAccessibleWidget>

namespace rankwright {

namespace {

constexpr int pastCategory = 3;

class TimeStripInterface final : public QAccessibleWidget, public QAccessibleValueInterface {
public:
    explicit TimeStripInterface(TimeStrip* strip) : QAccessibleWidget(strip, QAccessible::Slider), m_strip(*strip) { }

    QString text(QAccessible::Text kind) const override
    {
        if (kind == QAccessible::Value)
            return m_strip.isLive() ? TimeStrip::tr("live") : m_strip.describe(m_strip.moment());
        return QAccessibleWidget::text(kind);
    }
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        if (type == QAccessible::ValueInterface)
            return static_cast<QAccessibleValueInterface*>(this);
        return QAccessibleWidget::interface_cast(type);
    }
    // In seconds since the job's first sample.
    QVariant currentValue() const override { return double(m_strip.moment() - begin()) / 1000; }
    void setCurrentValue(const QVariant& value) override
    {
        emit m_strip.momentPicked(begin() + qint64(value.toDouble() * 1000));
    }
    QVariant maximumValue() const override { return double(m_strip.overview().span.length()) / 1000; }
    QVariant minimumValue() const override { return 0.0; }
    QVariant minimumStepSize() const override { return 1.0; }

private:
    qint64 begin() const { return m_strip.overview().span.fromMs; }
    TimeStrip& m_strip;
};

QAccessibleInterface* makeTimeStripInterface(const QString& className, QObject* object)
{
    if (className != QLatin1String(TimeStrip::staticMetaObject.className()))
        return nullptr;
    return new TimeStripInterface(static_cast<TimeStrip*>(object));
}

} // namespace

void installTimeStripAccessibility()
{
    static const bool installed = [] {
        QAccessible::installFactory(&makeTimeStripInterface);
        return true;
    }();
    Q_UNUSED(installed)
}

QColor pastColour(const Theme& theme)
{
    // Inked so far that it stands 3 : 1 on the panel in both modes.
    return theme.isDark() ? Theme::category(pastCategory)
                          : Theme::mix(theme.colour(Theme::Token::Foreground), Theme::category(pastCategory), 0.35);
}

} // namespace rankwright
