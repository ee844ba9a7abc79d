package io.github.lockboot.sample.sale;

import java.util.List;
import java.util.UUID;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

import io.github.lockboot.sample.cluster.Fleet;
import io.github.lockboot.sample.cluster.Share;
import io.github.lockboot.sample.crowd.Crowd;
import io.github.lockboot.sample.crowd.Tally;
import io.github.lockboot.sample.redis.CommandCount;
import io.github.lockboot.sample.web.Input;

/**
 * Runs a flash sale over all instances.
 */
@RestController
record FlashSaleController(Fleet fleet, Crowd crowd, Ledger ledger, CommandCount commands, List<SaleGuard> guards) {

	@GetMapping("/flash-sale/guards")
	public List<SaleGuard> guards() {
		return this.guards;
	}

	@PostMapping("/flash-sale")
	SaleReport sale(@RequestParam(defaultValue = "500") int buyers, @RequestParam(defaultValue = "100") int stock,
			@RequestParam(defaultValue = "lock") String guard, @RequestParam(defaultValue = "false") boolean timeline) {
		Input.between("buyers", buyers, 1, 5000);
		Input.between("stock", stock, 0, 5000);
		String product = find(guard).name() + "-" + UUID.randomUUID();
		this.ledger.open(product, stock);
		try {
			long commandsBefore = this.commands.total();
			long start = System.currentTimeMillis();
			List<Share> shares = this.fleet.send("/flash-sale/share", product, guard, buyers);
			long duration = System.currentTimeMillis() - start;
			SaleReport report = SaleReport.of(guard, buyers, stock, this.ledger.left(product), duration,
					this.commands.total() - commandsBefore, shares, this.ledger.purchases(product, start));
			return timeline ? report : report.withoutTimeline();
		}
		finally {
			this.ledger.close(product);
		}
	}

	@PostMapping("/flash-sale/share")
	Tally share(@RequestParam("run") String product, @RequestParam String guard, @RequestParam int callers) {
		SaleGuard found = find(guard);
		return this.crowd.send(callers, product, () -> found.purchase().test(product));
	}

	private SaleGuard find(String name) {
		return this.guards.stream()
			.filter((guard) -> guard.name().equals(name))
			.findFirst()
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.BAD_REQUEST, "'guard' must be one of "
					+ this.guards.stream().map(SaleGuard::name).toList() + " but is '" + name + "'"));
	}

}
