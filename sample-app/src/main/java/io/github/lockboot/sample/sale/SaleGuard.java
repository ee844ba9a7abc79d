package io.github.lockboot.sample.sale;

import java.util.function.Predicate;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * How the buyers of a sale exclude each other.
 *
 * @param name name for requests and answers
 * @param title title of the card
 * @param hint one sentence about the guard
 * @param source source file of the guard, without its extension
 * @param method name of the method in this source
 * @param purchase buys a piece of a product; returns false if there was no stock
 */
public record SaleGuard(String name, String title, String hint, String source, String method,
		@JsonIgnore Predicate<String> purchase) {
}
