package io.github.lockboot.sample.stampede;

import java.util.List;
import java.util.UUID;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

import io.github.lockboot.sample.cluster.Fleet;
import io.github.lockboot.sample.cluster.Share;
import io.github.lockboot.sample.crowd.Crowd;
import io.github.lockboot.sample.crowd.Tally;
import io.github.lockboot.sample.web.Input;

/**
 * Shows the page of a product, to one caller or to many at once over all instances.
 */
@RestController
record StampedeController(Fleet fleet, Crowd crowd, QueryLog queries, Catalog catalog) {

	@GetMapping("/products/{product}")
	ProductPage page(@PathVariable String product) {
		return this.catalog.cachedPage(product)
			.orElseThrow(
					() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "Nobody has reviewed '" + product + "'"));
	}

	@PostMapping("/stampede")
	StampedeReport stampede(@RequestParam(defaultValue = "500") int callers,
			@RequestParam(defaultValue = "cache") CacheGuard guard,
			@RequestParam(defaultValue = "false") boolean timeline) {
		Input.between("callers", callers, 1, 5000);
		String product = "page-" + UUID.randomUUID();
		this.queries.open(product);
		try {
			long start = System.currentTimeMillis();
			List<Share> shares = this.fleet.send("/stampede/share", product, guard, callers);
			long duration = System.currentTimeMillis() - start;
			StampedeReport report = StampedeReport.of(guard, callers, duration, shares,
					this.queries.queries(product, start));
			return timeline ? report : report.withoutTimeline();
		}
		finally {
			this.queries.close(product);
		}
	}

	@PostMapping("/stampede/share")
	Tally share(@RequestParam("run") String product, @RequestParam CacheGuard guard, @RequestParam int callers) {
		return this.crowd.send(callers, product, () -> switch (guard) {
			case CACHE -> this.catalog.cachedPage(product).isPresent();
			case NONE -> this.catalog.page(product).isPresent();
		});
	}

}
