package io.github.lockboot.sample.sale;

import java.util.function.Predicate;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * How the buyers of a sale exclude each other.
 *
 * @param name name for requests and answers
 * @param title title for people
 * @param hint one sentence about it
 * @param source source that shows it, without its ending
 * @param method name of the method in this source
 * @param purchase buys a piece of the product that it is given; false if there was none
 */
public record SaleGuard(String name, String title, String hint, String source, String method,
		@JsonIgnore Predicate<String> purchase) {
}
