// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/forward/reachdialog.h"

#include "models/core/harmlesstext.h"
#include "widgets/base/card.h"
#include "widgets/base/icons.h"
#include "widgets/base/theme.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <QTreeWidget>

#include <array>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

struct UsualPort {
    const char* name;
    int port;
};
constexpr std::array usualPorts{UsualPort{"TensorBoard", 6006}, UsualPort{"Jupyter", 8888}, UsualPort{"Ray", 8265},
    UsualPort{"Dask", 8787}, UsualPort{"MLflow", 5000}};

QLabel* wrapped(const QString& text, QWidget* parent)
{
    QLabel* label = makeLabel(text, "quiet", parent);
    label->setWordWrap(true);
    return label;
}

} // namespace

ReachDialog::ReachDialog(QWidget* parent)
    : QDialog(parent), m_title(makeLabel({}, "figure", this)), m_node(new QComboBox(this)),
      m_tabs(new QTabWidget(this)), m_report(makeLabel({}, "quiet", this))
{
    setWindowTitle(tr("Ports and shell"));
    resize(800, 620);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(10);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setWordWrap(true);
    m_node->setAccessibleName(tr("Node"));
    m_node->setMinimumContentsLength(12);
    m_node->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    auto* head = new QHBoxLayout;
    auto* nodeLabel = new QLabel(tr("&Node"), this);
    nodeLabel->setBuddy(m_node);
    head->addWidget(m_title, 1);
    head->addWidget(nodeLabel);
    head->addWidget(m_node);
    column->addLayout(head);
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(tr("Ports and shell"));
    m_tabs->tabBar()->setAccessibleName(tr("Ports and shell"));
    m_tabs->addTab(buildPorts(), tr("Ports"));
    m_tabs->addTab(buildShell(), tr("Shell and editor"));
    column->addWidget(m_tabs, 1);
    m_report->setWordWrap(true);
    m_report->setTextFormat(Qt::PlainText);
    m_report->hide();
    column->addWidget(m_report);
    auto* close = new QPushButton(tr("Close"), this);
    close->setAutoDefault(false);
    auto* foot = new QHBoxLayout;
    foot->addStretch(1);
    foot->addWidget(close);
    column->addLayout(foot);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    connect(m_node, &QComboBox::activated, this, [this] { m_isNodeChosen = true; });
    connect(m_node, &QComboBox::currentTextChanged, this, &ReachDialog::nodeChosen);
    refreshButtons();
}

QWidget* ReachDialog::buildPorts()
{
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 10, 0, 0);
    column->setSpacing(8);
    m_service = new QComboBox(page);
    m_service->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_service->setMinimumContentsLength(18);
    m_service->setToolTip(tr("First what the job's output mentions, then the usual ones"));
    m_port = new QSpinBox(page);
    m_port->setRange(1, 65535);
    m_port->setValue(usualPorts.front().port);
    m_localPort = new QSpinBox(page);
    m_localPort->setRange(0, 65535);
    m_localPort->setSpecialValueText(tr("the same, or the next free"));
    auto* form = new QGridLayout;
    form->setHorizontalSpacing(10);
    const std::array<std::pair<QString, QWidget*>, 3> fields{
        {{tr("&Service"), m_service}, {tr("&Port of the node"), m_port}, {tr("Port &here"), m_localPort}}};
    int at = 0;
    for (const auto& [name, field] : fields) {
        auto* label = new QLabel(name, page);
        label->setBuddy(field);
        field->setAccessibleName(QString(name).remove(u'&'));
        form->addWidget(label, 0, at);
        form->addWidget(field, 1, at++);
    }
    auto* forward = new QPushButton(tr("Bring it here"), page);
    forward->setProperty("accent", true);
    forward->setDefault(true);
    form->addWidget(forward, 1, at);
    form->setColumnStretch(0, 1);
    column->addLayout(form);
    column->addWidget(
        wrapped(tr("The port opens on 127.0.0.1 of this computer alone, but everybody who is logged in here "
                   "can open it. Jupyter asks for its token; TensorBoard asks for no password."),
            page));
    m_list = new QTreeWidget(page);
    m_list->setAccessibleName(tr("Ports that are here"));
    m_list->setHeaderLabels({tr("Here"), tr("There"), tr("Job"), tr("State")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->header()->setStretchLastSection(true);
    column->addWidget(m_list, 1);
    m_open = new QPushButton(tr("Open in the browser"), page);
    m_copy = new QPushButton(lineIcon(u"copy"_s), tr("Copy the address"), page);
    m_stop = new QPushButton(lineIcon(u"stop"_s), tr("Stop"), page);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    for (QPushButton* button : {m_open, m_copy, m_stop}) {
        button->setAutoDefault(false);
        row->addWidget(button);
    }
    column->addLayout(row);
    connect(m_service, &QComboBox::activated, this, [this](int index) {
        m_isChosen = true;
        chooseService(index);
    });
    connect(m_port, &QSpinBox::valueChanged, this, [this] {
        if (!m_port->hasFocus()) // by a service that was chosen
            return;
        m_isChosen = true;
        m_service->setCurrentIndex(m_service->count() - 1); // "Another"
    });
    connect(forward, &QPushButton::clicked, this,
        [this] { emit forwardRequested(node(), m_port->value(), m_localPort->value()); });
    connect(m_list, &QTreeWidget::itemSelectionChanged, this, &ReachDialog::refreshButtons);
    connect(m_open, &QPushButton::clicked, this, [this] { emit openRequested(selectedId()); });
    connect(m_copy, &QPushButton::clicked, this, [this] { emit copyRequested(selectedId()); });
    connect(m_stop, &QPushButton::clicked, this, [this] { emit stopRequested(selectedId()); });
    return page;
}

QWidget* ReachDialog::buildCopy(const QString& title, QPlainTextEdit*& text, int lines)
{
    auto* box = new QWidget(this);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    text = new QPlainTextEdit(box);
    text->setReadOnly(true);
    text->setTabChangesFocus(true);
    text->setFont(Theme::codeFont(12));
    text->setAccessibleName(title);
    text->setFixedHeight(QFontMetrics(text->font()).lineSpacing() * lines + 28);
    auto* copy = new QPushButton(lineIcon(u"copy"_s), tr("Copy"), box);
    copy->setAutoDefault(false);
    copy->setAccessibleName(tr("Copy: %1").arg(title));
    QLabel* head = makeLabel(title, "section", box);
    head->setWordWrap(true);
    grid->addWidget(head, 0, 0);
    grid->addWidget(copy, 0, 1);
    grid->addWidget(text, 1, 0, 1, 2);
    grid->setColumnStretch(0, 1);
    connect(copy, &QPushButton::clicked, this, [this, text] { emit lineCopied(text->toPlainText()); });
    return box;
}

QWidget* ReachDialog::buildShell()
{
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setAccessibleName(tr("Shell and editor"));
    scroll->viewport()->setAutoFillBackground(false);
    auto* page = new QWidget(scroll);
    page->setAutoFillBackground(false);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 10, 0, 0);
    column->setSpacing(10);
    auto* open = new QPushButton(tr("Open a shell on this node"), page);
    open->setAutoDefault(false);
    open->setToolTip(tr("A step beside the job's own, in your terminal program: it sees the job's processes and GPUs"));
    m_terminal = new QLineEdit(page);
    m_terminal->setPlaceholderText(tr("whichever is found"));
    m_terminal->setAccessibleName(tr("Terminal program"));
    m_terminal->setToolTip(tr("\"konsole\", or a line with {command} where the words of the shell belong"));
    auto* label = new QLabel(tr("&Terminal program"), page);
    label->setBuddy(m_terminal);
    auto* row = new QHBoxLayout;
    row->addWidget(open);
    row->addSpacing(12);
    row->addWidget(label);
    row->addWidget(m_terminal, 1);
    column->addLayout(row);
    column->addWidget(buildCopy(tr("The same by hand"), m_shellLine, 2));
    column->addWidget(buildCopy(tr("The job's folder in VS Code, on the login node"), m_editorLine, 2));
    column->addWidget(buildCopy(tr("The node in ~/.ssh/config, where the site lets you log in to it"), m_config, 5));
    column->addStretch(1);
    scroll->setWidget(page);
    connect(open, &QPushButton::clicked, this, [this] { emit shellRequested(node()); });
    connect(
        m_terminal, &QLineEdit::editingFinished, this, [this] { emit terminalChosen(m_terminal->text().trimmed()); });
    return scroll;
}

QString ReachDialog::node() const { return m_node->currentText(); }

void ReachDialog::showSubject(const ReachSubject& subject)
{
    m_subject = subject;
    m_isChosen = false;
    m_isNodeChosen = false;
    m_title->setText(tr("Job %1 on %2").arg(harmlessLine(subject.job, 40), harmlessLine(subject.cluster, 60)));
    {
        const QSignalBlocker quiet(m_node);
        m_node->clear();
        m_node->addItems(subject.nodes);
    }
    if (!m_terminal->hasFocus())
        m_terminal->setText(subject.terminal);
    fillServices();
    report({});
}

void ReachDialog::setServices(const QList<FoundService>& services)
{
    if (services == m_subject.services)
        return;
    m_subject.services = services;
    fillServices();
}

void ReachDialog::setNode(const QString& node)
{
    m_isNodeChosen = true;
    selectNode(node);
}

void ReachDialog::selectNode(const QString& node)
{
    if (const int at = m_node->findText(node); at >= 0)
        m_node->setCurrentIndex(at);
}

void ReachDialog::setPage(Page page) { m_tabs->setCurrentIndex(page == Page::Ports ? 0 : 1); }

void ReachDialog::fillServices()
{
    const QString before = m_service->currentText();
    m_service->clear();
    for (const FoundService& service : m_subject.services) {
        const QString name = service.name.isEmpty() ? tr("A service") : service.name;
        m_service->addItem(service.node.isEmpty()
                ? tr("%1, port %2").arg(name).arg(service.port)
                : tr("%1, port %2 of %3").arg(name).arg(service.port).arg(service.node));
    }
    for (const UsualPort& usual : usualPorts)
        m_service->addItem(tr("%1, usually %2").arg(QLatin1StringView(usual.name)).arg(usual.port));
    m_service->addItem(tr("Another"));
    const int at = before.isEmpty() ? -1 : m_service->findText(before);
    if (at >= 0 && m_isChosen)
        m_service->setCurrentIndex(at);
    else
        chooseService(0);
}

void ReachDialog::chooseService(int index)
{
    m_service->setCurrentIndex(index);
    const auto found = static_cast<int>(m_subject.services.size());
    if (index < found) {
        const FoundService& service = m_subject.services.at(index);
        m_port->setValue(service.port);
        if (!service.node.isEmpty() && (m_isChosen || !m_isNodeChosen))
            selectNode(service.node);
    } else if (index - found < int(usualPorts.size())) {
        m_port->setValue(usualPorts.at(size_t(index - found)).port);
    } else {
        m_port->setFocus();
        m_port->selectAll();
    }
}

void ReachDialog::showForwards(const QList<ForwardRow>& rows)
{
    const bool isMore = rows.size() > m_rows.size(); // the new one is what was just asked for
    const quint64 selected = isMore ? 0 : selectedId();
    m_rows = rows;
    {
        const QSignalBlocker quiet(m_list);
        m_list->clear();
        for (const ForwardRow& row : rows) {
            auto* item = new QTreeWidgetItem(m_list, {row.here, row.there, row.job, row.state});
            item->setToolTip(3, plainToolTip(row.state));
            if (row.isTroubled)
                item->setIcon(3, lineIcon(u"warning"_s));
            if (row.id == selected)
                item->setSelected(true);
        }
        if (!rows.isEmpty() && m_list->selectedItems().isEmpty())
            m_list->setCurrentItem(m_list->topLevelItem(int(rows.size()) - 1));
        for (int column = 0; column < 3; ++column)
            m_list->resizeColumnToContents(column);
    }
    refreshButtons();
}

quint64 ReachDialog::selectedId() const
{
    const QList<QTreeWidgetItem*> items = m_list->selectedItems();
    const int at = items.isEmpty() ? -1 : m_list->indexOfTopLevelItem(items.first());
    return at >= 0 && at < m_rows.size() ? m_rows.at(at).id : 0;
}

void ReachDialog::refreshButtons()
{
    const quint64 id = selectedId();
    const auto row = std::find_if(m_rows.begin(), m_rows.end(), [id](const ForwardRow& one) { return one.id == id; });
    const bool isActive = row != m_rows.end() && row->isActive;
    for (QPushButton* button : {m_open, m_copy, m_stop})
        button->setEnabled(isActive);
}

void ReachDialog::showLines(const QString& shell, const QString& editor, const QString& config)
{
    m_shellLine->setPlainText(shell);
    m_editorLine->setPlainText(editor);
    m_config->setPlainText(config);
}

void ReachDialog::report(const QString& text)
{
    setStyleProperty(m_report, "fault", false);
    showReport(text);
}

void ReachDialog::reportTrouble(const QString& text)
{
    setStyleProperty(m_report, "fault", true);
    showReport(text);
}

void ReachDialog::showReport(const QString& text)
{
    m_report->setText(text);
    m_report->setVisible(!text.isEmpty());
    m_report->setAccessibleName(text);
}

} // namespace rankwright
