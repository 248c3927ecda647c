// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <type_traits>
#include <utility>
#include <variant>

namespace rankwright::inline core {

/// Wraps an error so that it can be returned where an Expected is asked for (std::unexpected of C++23).
template <typename E>
struct Unexpected {
    E error;
};
template <typename E>
Unexpected(E) -> Unexpected<E>;

/// A value or the reason why there is none; the part of C++23's std::expected that this project uses,
/// built on std::variant. Reading the side that is not there is a programmer's error (std::bad_variant_access).
template <typename T, typename E>
class Expected {
public:
    Expected(T value) : m_state(std::in_place_index<0>, std::move(value)) { }
    Expected(Unexpected<E> error) : m_state(std::in_place_index<1>, std::move(error.error)) { }

    bool hasValue() const { return m_state.index() == 0; }
    explicit operator bool() const { return hasValue(); }

    const T& value() const& { return std::get<0>(m_state); }
    T& value() & { return std::get<0>(m_state); }
    /// By value, not by reference: `for (x : *f())` would else walk through a list that is gone.
    T value() && { return std::get<0>(std::move(m_state)); }
    const T& operator*() const& { return value(); }
    T& operator*() & { return value(); }
    T operator*() && { return std::move(*this).value(); }
    const T* operator->() const { return &std::get<0>(m_state); }
    T* operator->() { return &std::get<0>(m_state); }
    T valueOr(T fallback) const { return hasValue() ? value() : std::move(fallback); }

    const E& error() const { return std::get<1>(m_state); }

private:
    std::variant<T, E> m_state;
};

/// Success without a value, or an error.
template <typename E>
class Expected<void, E> {
public:
    Expected() = default;
    Expected(Unexpected<E> error) : m_state(std::in_place_index<1>, std::move(error.error)) { }

    bool hasValue() const { return m_state.index() == 0; }
    explicit operator bool() const { return hasValue(); }
    const E& error() const { return std::get<1>(m_state); }

private:
    std::variant<std::monostate, E> m_state;
};

} // namespace rankwright::inline core
