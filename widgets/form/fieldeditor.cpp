// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/fieldeditor.h"

#include "widgets/base/card.h"
#include "widgets/base/linesedit.h"
#include "widgets/base/quantityedit.h"
#include "widgets/base/richtooltip.h"
#include "widgets/base/segmentedcontrol.h"
#include "widgets/base/theme.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QStandardItemModel>

namespace rankwright {

namespace {

using Option = DesignField::Option;

/// One control filling the editor.
template <typename Control>
Control* fill(QWidget* editor, Control* control)
{
    auto* row = new QHBoxLayout(editor);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(control);
    editor->setFocusProxy(control);
    return control;
}

class LineEditor final : public FieldEditor {
public:
    LineEditor(bool code, QWidget* parent) : FieldEditor(parent), m_edit(fill(this, new QuantityEdit(this)))
    {
        if (code)
            m_edit->setFont(Theme::codeFont());
        connect(m_edit, &QLineEdit::textEdited, this, &LineEditor::say);
        connect(m_edit, &QLineEdit::editingFinished, this, [this] {
            if (m_edit->text() != m_said) // a completion that was marked in the list and left there
                say(m_edit->text());
            emit left();
            if (!m_edit->hasFocus())
                m_edit->setCursorPosition(0);
        });
        connect(m_edit, &QuantityEdit::optionChosen, this, [this](const QString& text) {
            emit left(); // a choice is not typing: it is a step of its own
            m_edit->setText(text);
            say(text);
            emit left();
        });
    }
    QWidget* control() const override { return m_edit; }
    QString text() const override { return m_edit->text(); }
    void setText(const QString& text) override
    {
        m_said = text;
        if (text == m_edit->text())
            return;
        m_edit->setText(text);
        if (!m_edit->hasFocus())
            m_edit->setCursorPosition(0); // the start of a long command says more than its end
    }
    void setPlaceholder(const QString& text) override { m_edit->setPlaceholder(text); }
    void setHint(const QString& hint) override { m_edit->setHint(hint); }
    void setOptions(const QList<Option>& options) override
    {
        QStringList values;
        for (const Option& option : options)
            values.append(option.value);
        m_edit->setOptions(values);
    }
    void setInvalid(bool invalid) override { m_edit->setInvalid(invalid); }

private:
    void say(const QString& text)
    {
        m_said = text;
        emit edited(text);
    }

    QuantityEdit* m_edit;
    QString m_said; ///< as the design heard it, or as it was set from there
};

class LinesEditor final : public FieldEditor {
public:
    explicit LinesEditor(QWidget* parent) : FieldEditor(parent), m_edit(fill(this, new LinesEdit(this)))
    {
        connect(m_edit, &LinesEdit::edited, this, &FieldEditor::edited);
        connect(m_edit, &LinesEdit::left, this, &FieldEditor::left);
    }
    QWidget* control() const override { return m_edit; }
    QString text() const override { return m_edit->toPlainText(); }
    void setText(const QString& text) override { m_edit->setLines(text); }
    void setPlaceholder(const QString& text) override { m_edit->setPlaceholder(text); }
    void setInvalid(bool invalid) override { m_edit->setInvalid(invalid); }

private:
    LinesEdit* m_edit;
};

class ChoiceEditor final : public FieldEditor {
public:
    explicit ChoiceEditor(QWidget* parent) : FieldEditor(parent), m_box(fill(this, new QComboBox(this)))
    {
        // What stands in while nothing is chosen looks like it, as in the fields to type into.
        connect(m_box, &QComboBox::currentIndexChanged, this,
            [this](int index) { setStyleProperty(m_box, "open", index < 0); });
        m_box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_box->setMinimumContentsLength(4); // its column stretches; no choice pushes the captions aside
        // activated is a person's choice, currentIndexChanged would be ours too.
        connect(
            m_box, &QComboBox::activated, this, [this](int index) { emit edited(m_box->itemData(index).toString()); });
    }
    QWidget* control() const override { return m_box; }
    QString text() const override { return m_box->currentData().toString(); }
    void setText(const QString& text) override
    {
        const int index = m_box->findData(text);
        if (index < 0 && !text.isEmpty()) {
            m_box->addItem(tr("%1 (unknown)").arg(text), text);
            m_box->setCurrentIndex(m_box->count() - 1);
        } else if (index != m_box->currentIndex()) {
            m_box->setCurrentIndex(index);
        }
    }
    void setPlaceholder(const QString& text) override
    {
        m_box->setPlaceholderText(text);
        setStyleProperty(m_box, "open", m_box->currentIndex() < 0);
    }
    void setOptions(const QList<Option>& options) override
    {
        if (options == m_options)
            return;
        m_options = options;
        QStringList values;
        for (const Option& option : options)
            values.append(option.value);
        if (values == m_values) {
            for (int i = 0; i < options.size(); ++i) {
                m_box->setItemText(i, options.at(i).label);
                describe(i, options.at(i));
            }
            return;
        }
        m_values = values;
        const QString kept = text();
        m_box->clear();
        for (const Option& option : options) {
            m_box->addItem(option.label, option.value);
            describe(m_box->count() - 1, option);
        }
        m_box->setCurrentIndex(m_box->findData(kept));
    }

private:
    void describe(int index, const Option& option)
    {
        m_box->setItemData(index, richToolTip(option.note), Qt::ToolTipRole);
        if (auto* items = qobject_cast<QStandardItemModel*>(m_box->model()))
            items->item(index)->setEnabled(option.enabled);
    }

    QComboBox* m_box;
    QList<Option> m_options;
    QStringList m_values;
};

class SegmentsEditor final : public FieldEditor {
public:
    explicit SegmentsEditor(QWidget* parent) : FieldEditor(parent), m_row(new QHBoxLayout(this))
    {
        m_row->setContentsMargins(0, 0, 0, 0);
    }
    QWidget* control() const override { return m_segments; }
    QString text() const override { return m_text; }
    void setText(const QString& text) override
    {
        m_text = text;
        choose();
    }
    void setPlaceholder(const QString& text) override
    {
        m_placeholder = text;
        choose();
    }
    void setOptions(const QList<Option>& options) override
    {
        QStringList labels;
        m_values.clear();
        for (const Option& option : options) {
            labels.append(option.label);
            m_values.append(option.value);
        }
        // The set of segments is fixed when the row is built; later only their notes and states change.
        if (!m_segments) {
            m_segments = new SegmentedControl(labels, this);
            m_row->addWidget(m_segments);
            setFocusProxy(m_segments);
            connect(m_segments, &SegmentedControl::chosen, this, [this](int index) {
                m_text = m_values.value(index);
                emit edited(m_text);
            });
        }
        for (int i = 0; i < options.size(); ++i) {
            m_segments->setSegmentToolTip(i, options.at(i).note);
            m_segments->setSegmentEnabled(i, options.at(i).enabled);
        }
        choose();
    }

private:
    void choose()
    {
        if (m_segments)
            m_segments->setCurrent(int(m_values.indexOf(m_text.isEmpty() ? m_placeholder : m_text)));
    }

    QHBoxLayout* m_row;
    SegmentedControl* m_segments = nullptr;
    QStringList m_values;
    QString m_text;
    QString m_placeholder;
};

} // namespace

FieldEditor* FieldEditor::create(DesignField::Kind kind, QWidget* parent)
{
    switch (kind) {
    case DesignField::Kind::Line: return new LineEditor(false, parent);
    case DesignField::Kind::Code: return new LineEditor(true, parent);
    case DesignField::Kind::Lines: return new LinesEditor(parent);
    case DesignField::Kind::Choice: return new ChoiceEditor(parent);
    case DesignField::Kind::Segments: return new SegmentsEditor(parent);
    }
    return nullptr;
}

} // namespace rankwright
