// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/learn/wordsdialog.h"

#include "models/core/quantitytext.h"
#include "models/teaching/learn/acknowledgement.h"
#include "widgets/base/card.h"
#include "widgets/base/wrappedlabel.h"
#include "widgets/learn/explanationview.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QSplitter>
#include <QStyledItemDelegate>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {
enum Role { KindRole = Qt::UserRole, IdRole };

/// Rows as high as their wrapped text: the style forgets its own padding when it measures.
class RowDelegate final : public QStyledItemDelegate {
public:
    explicit RowDelegate(QListWidget* list) : QStyledItemDelegate(list), m_list(list) { }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        QStyleOptionViewItem row(option);
        initStyleOption(&row, index);
        const int width = qMax(60, m_list->viewport()->width() - 26);
        const QRect text = row.fontMetrics.boundingRect(QRect(0, 0, width, 2000), Qt::TextWordWrap, row.text);
        return {width, text.height() + 10};
    }

private:
    QListWidget* m_list;
};
} // namespace

WordsDialog::WordsDialog(const Design& design, QWidget* parent) : QDialog(parent), m_design(design)
{
    setWindowTitle(tr("Words and questions"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(10);
    auto* split = new QSplitter(Qt::Horizontal, this);
    split->setChildrenCollapsible(false);
    split->setProperty("gap", true);
    split->setHandleWidth(12);
    split->addWidget(buildList());
    split->addWidget(buildDetail());
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 3);
    column->addWidget(split, 1);
    auto* row = new QHBoxLayout;
    m_done = makeLabel({}, "quiet", this);
    m_done->setWordWrap(true);
    auto* thanks = new QPushButton(tr("Copy acknowledgement"), this);
    thanks->setToolTip(tr("The sentence for a paper that names the cluster of this design."));
    auto* answer = new QPushButton(tr("Copy this"), this);
    auto* shut = new QPushButton(tr("Close"), this);
    for (QPushButton* button : {thanks, answer, shut})
        button->setAutoDefault(false);
    row->addWidget(thanks);
    row->addWidget(m_done, 1);
    row->addWidget(answer);
    row->addWidget(shut);
    column->addLayout(row);
    connect(thanks, &QPushButton::clicked, this, [this] { copy(acknowledgementText(), tr("the acknowledgement")); });
    connect(answer, &QPushButton::clicked, this, [this] { copy(m_view->plainText(), tr("the explanation")); });
    connect(shut, &QPushButton::clicked, this, &QDialog::close);
    connect(&design, &Design::changed, this, &WordsDialog::designChanged);
    const QSize room = screen() != nullptr ? screen()->availableSize() - QSize(60, 80) : QSize(900, 600);
    resize(QSize(920, 600).boundedTo(room));
    fitTexts(*this, {680, 360});
    fill({});
}

QWidget* WordsDialog::buildList()
{
    auto* left = new QWidget(this);
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_search = new QLineEdit(left);
    m_search->setPlaceholderText(tr("A word or a question …"));
    m_search->setAccessibleName(tr("Search words and questions"));
    m_search->setClearButtonEnabled(true);
    m_search->setMaxLength(200);
    m_list = new QListWidget(left);
    m_list->setAccessibleName(tr("Words and questions"));
    m_list->setWordWrap(true);
    m_list->setTextElideMode(Qt::ElideNone);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setResizeMode(QListView::Adjust);
    m_list->setItemDelegate(new RowDelegate(m_list));
    m_count = makeLabel({}, "caption", left);
    column->addWidget(m_search);
    column->addWidget(m_list, 1);
    column->addWidget(m_count);
    m_search->installEventFilter(this);
    m_list->installEventFilter(this);
    connect(m_search, &QLineEdit::textChanged, this, &WordsDialog::fill);
    connect(m_list, &QListWidget::currentItemChanged, this, &WordsDialog::showCurrent);
    return left;
}

QWidget* WordsDialog::buildDetail()
{
    m_scroll = new QScrollArea(this);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::StrongFocus); // scrolled by keys
    m_scroll->setAccessibleName(tr("Explanation"));
    auto* page = new QFrame(m_scroll);
    page->setProperty("card", true);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(16, 14, 16, 14);
    m_view = new ExplanationView(page);
    column->addWidget(m_view);
    column->addStretch(1);
    m_scroll->setWidget(page);
    connect(m_view, &ExplanationView::termRequested, this, [this](const QString& id) {
        if (select(id))
            return;
        m_search->clear(); // it is not among what was found
        select(id);
    });
    connect(m_view, &ExplanationView::copied, this, [this](const QString& text) {
        m_done->setText(tr("Copied %1").arg(counted(text.trimmed().count(u'\n') + 1, tr("line"))));
    });
    return m_scroll;
}

void WordsDialog::showAt(const QString& text)
{
    show();
    raise();
    activateWindow();
    m_search->setFocus(Qt::OtherFocusReason);
    if (text.isEmpty())
        return;
    const Question* question = findQuestion(text); // an id is not searched for as a word of another question
    const Term* term = question != nullptr ? nullptr : findTerm(text);
    if (term == nullptr && question == nullptr) {
        m_search->setText(text);
        return;
    }
    m_search->clear();
    select(term != nullptr ? term->id : text);
}

void WordsDialog::showEvent(QShowEvent* event)
{
    QDialog::showEvent(event);
    m_done->clear();
    designChanged();
}

/// Another site may have another word for a GPU.
void WordsDialog::designChanged()
{
    if (!isVisible())
        return;
    if (m_word != m_design.derived().resolved.node.gpu.word) {
        const QString id = shown().id;
        fill(m_search->text());
        select(id);
    }
    showCurrent();
}

void WordsDialog::setCourse(const QString& name, const QString& given)
{
    m_course = name;
    m_given = given;
}

const Explanation& WordsDialog::shown() const { return m_view->shown(); }

QString WordsDialog::acknowledgementText() const
{
    return acknowledgement(*m_design.derived().profile, m_course, m_given).text;
}

void WordsDialog::addHead(const QString& title)
{
    auto* item = new QListWidgetItem(title, m_list);
    item->setFlags(Qt::NoItemFlags);
    QFont bold = item->font();
    bold.setBold(true);
    item->setFont(bold);
}

void WordsDialog::addRow(LearnHit::Kind kind, const QString& id)
{
    const LearnFigures figures(m_design.derived());
    const Term* term = kind == LearnHit::Kind::Term ? findTerm(id) : nullptr;
    const Question* question = kind == LearnHit::Kind::Question ? findQuestion(id) : nullptr;
    if (term == nullptr && question == nullptr)
        return;
    auto* item = new QListWidgetItem(figures.inWords(term != nullptr ? term->name : question->text), m_list);
    item->setData(KindRole, int(kind));
    item->setData(IdRole, id);
}

void WordsDialog::fill(const QString& search)
{
    const QSignalBlocker quiet(m_list);
    m_word = m_design.derived().resolved.node.gpu.word;
    m_list->clear();
    if (search.trimmed().isEmpty()) {
        addHead(tr("Questions"));
        for (const Question& question : questions())
            addRow(LearnHit::Kind::Question, question.id);
        addHead(tr("Words"));
        for (const Term& term : terms())
            addRow(LearnHit::Kind::Term, term.id);
        m_count->setText(
            tr("%1, %2").arg(counted(questions().size(), tr("question")), counted(terms().size(), tr("word"))));
    } else {
        const QList<LearnHit> hits = searchLearn(search);
        for (const LearnHit& hit : hits)
            addRow(hit.kind, hit.id);
        m_count->setText(hits.isEmpty() ? tr("Nothing found: try another word.") : tr("%1 found").arg(hits.size()));
    }
    selectFirst();
    showCurrent();
}

void WordsDialog::selectFirst()
{
    for (int row = 0; row < m_list->count(); ++row) {
        if (m_list->item(row)->flags().testFlag(Qt::ItemIsSelectable)) {
            m_list->setCurrentRow(row);
            return;
        }
    }
}

bool WordsDialog::select(const QString& id)
{
    for (int row = 0; row < m_list->count(); ++row) {
        const QListWidgetItem* item = m_list->item(row);
        if (item->data(IdRole).toString() != id)
            continue;
        m_list->setCurrentRow(row);
        m_list->scrollToItem(item);
        return true;
    }
    return false;
}

void WordsDialog::showCurrent()
{
    const QListWidgetItem* item = m_list->currentItem();
    m_view->setVisible(item != nullptr);
    if (item == nullptr)
        return;
    const auto kind = LearnHit::Kind(item->data(KindRole).toInt());
    if (const auto shown = explain(kind, item->data(IdRole).toString(), &m_design.derived())) {
        const bool another = !(m_view->shown().id == shown->id);
        m_view->setExplanation(*shown);
        if (another)
            m_scroll->ensureVisible(0, 0);
    }
}

void WordsDialog::copy(const QString& text, const QString& what)
{
    QApplication::clipboard()->setText(text);
    m_done->setText(tr("Copied %1: %2").arg(what, text.section(u'\n', 0, 0).left(120)));
}

bool WordsDialog::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    auto* key = static_cast<QKeyEvent*>(event);
    const int pressed = key->key();
    if (watched == m_search) {
        const bool moves = pressed == Qt::Key_Down || pressed == Qt::Key_Up || pressed == Qt::Key_PageDown
            || pressed == Qt::Key_PageUp;
        if (moves) {
            QApplication::sendEvent(m_list, event); // the focus stays where one types
            return true;
        }
    }
    if (pressed == Qt::Key_Return || pressed == Qt::Key_Enter) {
        m_scroll->setFocus(Qt::OtherFocusReason);
        return true;
    }
    if (watched == m_list && !key->text().isEmpty() && key->text().at(0).isPrint() && key->text() != u" "
        && !(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))) {
        m_search->setFocus(Qt::OtherFocusReason);
        QApplication::sendEvent(m_search, event);
        return true;
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace rankwright
