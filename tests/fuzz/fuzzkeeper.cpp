// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/keeper/keeperframe.h"
#include "app/keeper/keepermessage.h"
#include "tests/fuzz/fuzztargets.h"

namespace rankwright::fuzz {

namespace {

/// What was read can be sent again, and means the same then.
void readBody(const QByteArray& body)
{
    if (const auto hello = readHello(body)) {
        const auto again = readHello(helloBody(*hello));
        require(again && *again == *hello, "a greeting stays what it is");
    }
    if (const auto open = readOpen(body)) {
        require(open->endpoint.port > 0 && open->endpoint.port < 65536, "an endpoint has a port");
        const auto again = readOpen(openBody(*open));
        require(again && endpointKey(again->endpoint) == endpointKey(open->endpoint), "an endpoint stays what it is");
    }
    if (const auto state = readState(body)) {
        const auto again = readState(stateBody(*state));
        require(again && again->state == state->state, "a state stays what it is");
    }
    if (const auto prompt = readPrompt(body)) {
        const auto again = readPrompt(promptBody(*prompt));
        require(again && *again == *prompt, "a question stays what it is");
    }
    if (const auto answer = readAnswer(body))
        require(answer->answer.answers.size() <= 256, "answers are bounded");
    if (const auto command = readCommand(body)) {
        require(command->outputLimit >= 0 && command->deadlineSeconds.value_or(0) >= 0, "a command has bounds");
        require(readCommand(commandBody(*command)).hasValue(), "a command stays one");
    }
    if (const auto dial = readDial(body))
        require(dial->port > 0 && dial->port < 65536 && !dial->host.isEmpty(), "an address is one");
    if (const auto count = readCount(body))
        require(*count >= 0, "a count is none below zero");
    if (const auto status = readStatus(body)) {
        const auto again = readStatus(statusBody(*status));
        require(again && *again == *status, "a status stays what it is");
    }
    require(outcomeBody(readOutcome(body)).size() <= 2 * body.size() + keeperLargest, "an outcome is bounded");
    readError(body);
    if (const auto texts = readTexts(body))
        require(textsBody(texts->first, texts->second).size() <= keeperLargest, "texts are bounded");
    if (const auto size = readSize(body))
        require(size->columns >= 0 && size->rows >= 0, "a terminal has a size");
}

} // namespace

void keeperMessages(const QByteArray& bytes)
{
    KeeperReader whole;
    const auto all = whole.feed(bytes);
    KeeperReader cut;
    QList<KeeperFrame> frames;
    bool isBroken = false;
    for (qsizetype at = 0; at < bytes.size() && !isBroken; at += 5) {
        const auto some = cut.feed(QByteArrayView(bytes).sliced(at, qMin<qsizetype>(5, bytes.size() - at)));
        isBroken = !some;
        if (some)
            frames += *some;
    }
    require(!all || frames == *all, "frames do not depend on how they are cut");
    require(isBroken == !all, "nor does whether they are some");
    for (const KeeperFrame& frame : std::as_const(frames)) {
        require(frame.body.size() <= keeperLargest, "a frame is bounded");
        readBody(frame.body);
    }
    readBody(bytes);
}

} // namespace rankwright::fuzz
