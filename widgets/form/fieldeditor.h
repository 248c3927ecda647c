// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/designfields.h"

#include <QWidget>

namespace rankwright {

/// The control of one form row, whatever its kind: text in, text out, a placeholder while open, a hint, a fault mark.
/// setText() never signals; edited() is emitted only for a person's input. Does not know designs.
class FieldEditor : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    static FieldEditor* create(DesignField::Kind kind, QWidget* parent);

    /// The control that takes the focus: buddy of the label, bearer of name and help.
    virtual QWidget* control() const = 0;
    virtual QString text() const = 0;
    virtual void setText(const QString& text) = 0;
    virtual void setPlaceholder(const QString& text) = 0;
    virtual void setHint(const QString& hint) { Q_UNUSED(hint) }
    virtual void setOptions(const QList<DesignField::Option>& options) { Q_UNUSED(options) }
    virtual void setInvalid(bool invalid) { Q_UNUSED(invalid) }

signals:
    void edited(const QString& text);
    void left(); ///< editing ended: Enter was pressed or the focus went elsewhere
};

} // namespace rankwright
